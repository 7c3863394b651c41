package dev.oneengine.work;

import dev.oneengine.cache.EngineException;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work could not begin, could not be committed, or was used in a way that it does not allow.
 *
 * <p>Unless the message says otherwise, nothing of the unit was committed. Thread-safe.
 */
public class TransactionException extends EngineException {
    private static final long serialVersionUID = 1L;

    TransactionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
