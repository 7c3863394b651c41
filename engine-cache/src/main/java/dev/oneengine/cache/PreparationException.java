package dev.oneengine.cache;

/**
 * A step failed that an engine needs before it is used. Every call that waited for it gets an exception of its own with
 * the same cause; the next call tries again.
 */
public final class PreparationException extends EngineException {
    private static final long serialVersionUID = 1L;

    PreparationException(String message, Throwable cause) {
        super(message, cause);
    }
}
