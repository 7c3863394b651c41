package dev.oneengine.work;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong while something else goes wrong. Failures are those of users, drivers and other libraries, which override most
 * methods; what they throw when they are asked must change no outcome. Neither must a logger. Stateless and thread-safe.
 */
final class Throwables {
    private Throwables() {}

    /** Notes a further failure in the first; two may be the same object, which cannot suppress itself. */
    static void suppress(Throwable failure, Throwable other) {
        if (failure != other) {
            failure.addSuppressed(other);
        }
    }

    /** Asks a failure for something. Returns {@code null} if it has none, or fails to answer. */
    static <T> @Nullable T ask(Supplier<@Nullable T> question) {
        try {
            return question.get();
        } catch (Throwable t) {
            return null;
        }
    }

    /** Returns the kind of a failure and its message. */
    static String describe(Throwable failure) {
        String text = ask(failure::toString);
        return text == null ? failure.getClass().getName() : text;
    }

    /** Returns the message of a failure. */
    static String message(Throwable failure) {
        String text = ask(failure::getMessage);
        return text == null ? failure.getClass().getName() : text;
    }

    /** Logs, unless the logger fails. */
    static void log(Runnable entry) {
        try {
            entry.run();
        } catch (Throwable t) {
            // There is nobody to tell.
        }
    }
}
