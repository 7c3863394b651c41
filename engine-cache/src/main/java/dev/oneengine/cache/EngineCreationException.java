package dev.oneengine.cache;

import java.util.List;

/**
 * Thrown when an engine cannot be created. Each caller that waited for the creation gets its own exception with the same message and
 * cause. The failed creation leaves nothing behind, and the next call retries.
 *
 * <p>Thread-safe.
 */
public final class EngineCreationException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineCreationException(DatabaseUrl url, Throwable failure) {
        this(url, failure, url.secrets());
    }

    private EngineCreationException(DatabaseUrl url, Throwable failure, List<String> secrets) {
        super(
                "Cannot create the engine for " + url + ": " + SecretMask.mask(FailureAdvice.of(failure), secrets),
                SecretMask.mask(failure, secrets));
    }
}
