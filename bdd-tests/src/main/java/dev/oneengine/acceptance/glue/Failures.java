package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import org.jspecify.annotations.Nullable;

/** What failures say. Stateless and thread-safe. */
final class Failures {
    private Failures() {}

    /** Checks that there is a failure which says something, itself or one of its causes. */
    static void assertSays(@Nullable Throwable failure, String... parts) {
        assertThat(failure).as("the failure").isNotNull();
        assertThat(text(failure)).as("the message of the failure").contains((Object[]) parts);
    }

    /** All messages of a failure, its causes, and what is suppressed in them. */
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
