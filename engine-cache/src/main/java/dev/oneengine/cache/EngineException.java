package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/**
 * The superclass of all exceptions of One Engine.
 *
 * <p>The message names the failed operation and its database, gives the reason, and says what to do. It never contains a password.
 *
 * <p>Thread-safe.
 */
public class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the failed operation, its database, the reason and the remedy
     * @param cause the failure of other code behind this one, or {@code null}
     */
    public EngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
