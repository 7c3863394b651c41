package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import org.jspecify.annotations.Nullable;

/** Checks the messages of failures. Stateless and thread-safe. */
final class Failures {
    private Failures() {}

    /** Checks that there is a failure, and that its message or that of a cause contains all parts. */
    static void assertSays(@Nullable Throwable failure, String... parts) {
        assertThat(failure).as("the failure").isNotNull();
        assertThat(text(failure)).as("the message of the failure").contains((Object[]) parts);
    }

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
