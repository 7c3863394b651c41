package dev.oneengine.migration;

import dev.oneengine.cache.EngineException;
import org.jspecify.annotations.Nullable;

/**
 * A database could not be migrated, or its migrations could not be read. The message names the database and says what to do.
 *
 * <p>All threads that waited for one attempt get the same exception; the next call tries again.
 */
public class MigrationException extends EngineException {
    private static final long serialVersionUID = 1L;

    MigrationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
