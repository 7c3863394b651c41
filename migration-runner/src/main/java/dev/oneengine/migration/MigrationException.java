package dev.oneengine.migration;

import dev.oneengine.cache.EngineException;
import org.jspecify.annotations.Nullable;

/**
 * The failure to migrate a database, or to read its migrations. The message names the database and the remedy.
 *
 * <p>Each thread that waits for a failed migration gets its own exception, with the same message and cause. The next call retries.
 *
 * <p>Immutable and thread-safe.
 */
public class MigrationException extends EngineException {
    private static final long serialVersionUID = 1L;

    MigrationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns an equal exception with the stack of the current thread. No other thread sees what its caller adds to it. */
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
