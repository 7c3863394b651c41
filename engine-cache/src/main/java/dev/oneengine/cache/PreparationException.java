package dev.oneengine.cache;

import dev.oneengine.cache.internal.Throwables;

/**
 * Thrown when a {@link Preparation} fails. Each caller that waited for the step gets its own exception with the same cause. The next
 * call retries.
 *
 * <p>Thread-safe.
 */
public final class PreparationException extends EngineException {
    private static final long serialVersionUID = 1L;

    PreparationException(String what, Throwable failure) {
        super(what + " failed: " + Throwables.message(failure) + "; the next call retries", failure);
    }
}
