package dev.oneengine.cache;

/**
 * Thrown when a closed engine or a closed cache is used.
 *
 * <p>Thread-safe.
 */
public final class EngineClosedException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineClosedException(String message) {
        super(message, null);
    }
}
