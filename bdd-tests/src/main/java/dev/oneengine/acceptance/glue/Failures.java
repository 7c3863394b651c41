package dev.oneengine.acceptance.glue;

import org.jspecify.annotations.Nullable;

/** Reads the messages of failures. Stateless and thread-safe. */
final class Failures {
    private Failures() {}

    /** Returns all messages of a failure, of its causes, and of their suppressed exceptions. */
    static String text(@Nullable Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            text.append(t).append('\n');
            for (Throwable suppressed : t.getSuppressed()) {
                text.append(text(suppressed));
            }
        }
        return text.toString();
    }
}
