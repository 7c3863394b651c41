package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/**
 * An engine could not be created. Every call that waited for the attempt gets an exception of its own with the same
 * message and the same cause; nothing is left behind, and the next call tries again.
 */
public final class EngineCreationException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineCreationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
