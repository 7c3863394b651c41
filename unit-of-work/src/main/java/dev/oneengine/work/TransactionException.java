package dev.oneengine.work;

import dev.oneengine.cache.EngineException;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work could not begin, could not be committed, or was used as it must not be.
 *
 * <p>Unless the message says otherwise, nothing of the unit was committed. As thread-safe as any {@link Throwable}.
 */
public class TransactionException extends EngineException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what failed, for which URL or operation, and what to do
     * @param cause what made it fail, or {@code null} where this is the first to notice
     */
    public TransactionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
