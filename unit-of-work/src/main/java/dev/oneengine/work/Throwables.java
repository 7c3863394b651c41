package dev.oneengine.work;

import org.jspecify.annotations.Nullable;

/**
 * Handles exceptions of users, drivers and libraries, which may override any method and throw from it. Such a method, or a logger that
 * fails, must not change the outcome of a unit. Stateless and thread-safe.
 */
final class Throwables {
    private Throwables() {}

    /** Suppresses a failure in another one. Does nothing if they are the same, because an exception cannot suppress itself. */
    static void suppress(Throwable failure, Throwable other) {
        if (failure != other) {
            failure.addSuppressed(other);
        }
    }

    /** Returns the type of a failure and its message. */
    static String describe(Throwable failure) {
        try {
            return orType(failure.toString(), failure);
        } catch (Throwable t) {
            return orType(null, failure);
        }
    }

    /** Returns the message of a failure. */
    static String message(Throwable failure) {
        try {
            return orType(failure.getMessage(), failure);
        } catch (Throwable t) {
            return orType(null, failure);
        }
    }

    private static String orType(@Nullable String text, Throwable failure) {
        return text == null ? failure.getClass().getName() : text;
    }

    /** Logs, and ignores a logger that fails. */
    static void log(Runnable entry) {
        try {
            entry.run();
        } catch (Throwable t) {
            // logging changes no outcome
        }
    }
}
