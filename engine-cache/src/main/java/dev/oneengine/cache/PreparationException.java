package dev.oneengine.cache;

/**
 * Thrown when a {@link Preparation} fails. Each caller that waited for the step gets its own exception with the same cause. The next
 * call retries.
 *
 * <p>Thread-safe.
 */
public final class PreparationException extends EngineException {
    private static final long serialVersionUID = 1L;

    PreparationException(String what, Throwable failure) {
        super(what + " failed: " + FailureCollector.describe(failure) + "; the next call retries", failure);
    }
}
