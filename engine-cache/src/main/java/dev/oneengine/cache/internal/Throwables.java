package dev.oneengine.cache.internal;

import org.jspecify.annotations.Nullable;

/**
 * Handles exceptions of users, drivers and libraries, which may override any method and throw from it. Such a method, or a logger that
 * fails, must not change the outcome of a call. Stateless and thread-safe.
 */
public final class Throwables {
    private Throwables() {}

    /**
     * Suppresses a failure in another one. Does nothing if they are the same, because an exception cannot suppress itself.
     *
     * @param failure the failure that is thrown
     * @param other the failure that is suppressed
     */
    public static void suppress(Throwable failure, Throwable other) {
        if (failure != other) {
            failure.addSuppressed(other);
        }
    }

    /**
     * Returns the type of a failure and its message.
     *
     * @param failure any failure
     * @return the text; only the type if the failure has no other text
     */
    public static String describe(Throwable failure) {
        try {
            return orType(failure.toString(), failure);
        } catch (Throwable t) {
            return orType(null, failure);
        }
    }

    /**
     * Returns the message of a failure.
     *
     * @param failure any failure
     * @return the message; the type if the failure has none
     */
    public static String message(Throwable failure) {
        try {
            return orType(failure.getMessage(), failure);
        } catch (Throwable t) {
            return orType(null, failure);
        }
    }

    private static String orType(@Nullable String text, Throwable failure) {
        return text == null ? failure.getClass().getName() : text;
    }

    /**
     * Logs, and ignores a logger that fails.
     *
     * @param entry the call of the logger
     */
    public static void log(Runnable entry) {
        try {
            entry.run();
        } catch (Throwable t) {
            keepInterrupt(t);
        }
    }

    /**
     * Restores the interrupt flag that an {@link InterruptedException} has cleared.
     *
     * @param failure any failure
     */
    public static void keepInterrupt(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
