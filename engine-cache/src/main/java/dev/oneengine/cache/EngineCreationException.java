package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an engine cannot be created. Each caller that waited for the creation gets its own exception with the same message and
 * cause. The failed creation leaves nothing behind, and the next call retries.
 *
 * <p>Thread-safe.
 */
public final class EngineCreationException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineCreationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
