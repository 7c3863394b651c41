package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything this library throws on its own account.
 *
 * <p>The message names the database URL or the operation, never a password, and says what to do. Immutable but for what
 * every {@link Throwable} lets callers add, which is thread-safe.
 */
public class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what failed, for which URL or operation, and what to do
     * @param cause what made it fail, or {@code null} where this is the first to notice
     */
    public EngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
