package dev.oneengine.cache;

/** An engine or a cache was used after it had been closed. */
public final class EngineClosedException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineClosedException(String message) {
        super(message, null);
    }
}
