package dev.oneengine.migration;

import dev.oneengine.cache.EngineException;
import org.jspecify.annotations.Nullable;

/**
 * A database could not be migrated, or its migrations could not be read. The message names the database and says what to do.
 *
 * <p>Each thread that waited for an attempt gets its own exception, with the same message and cause. The next call retries.
 */
public class MigrationException extends EngineException {
    private static final long serialVersionUID = 1L;

    MigrationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns an equal exception with the stack of the current thread, which may add to it what it likes. */
    final MigrationException ofThisThread() {
        MigrationException copy = copy(String.valueOf(getMessage()));
        for (Throwable suppressed : getSuppressed()) {
            copy.addSuppressed(suppressed);
        }
        return copy;
    }

    MigrationException copy(String message) {
        return new MigrationException(message, getCause());
    }
}
