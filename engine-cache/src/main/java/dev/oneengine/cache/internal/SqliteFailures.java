package dev.oneengine.cache.internal;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The result codes of SQLite in exceptions of its driver. Loads no class of the driver, because an application that uses another
 * database may exclude it. Stateless and thread-safe.
 */
public final class SqliteFailures {
    /** Another connection holds a lock. */
    public static final int BUSY = 5;

    /** Another connection of this process holds a lock on a table. */
    public static final int LOCKED = 6;

    /** The database cannot be written to. */
    public static final int READ_ONLY = 8;

    /** The advice for a file with a write-ahead log in a directory that this user cannot write to. */
    public static final String READ_ONLY_DIRECTORY_ADVICE =
            "its directory is read-only, so SQLite cannot create the files"
                    + " beside it that even a reader needs; grant write permission to the directory, or, if no program writes to the"
                    + " file, open it with file: and ?immutable=1";

    /** The start of the driver's message. {@link SQLException#getErrorCode} does not tell this failure from other read-only ones. */
    private static final String READ_ONLY_DIRECTORY = "[SQLITE_READONLY_DIRECTORY]";

    /** Any failure of another database. */
    private static final int NONE = -1;

    private static final String EXCEPTION = "org.sqlite.SQLiteException";

    private SqliteFailures() {}

    /**
     * Returns the primary result code, without the upper bits that SQLite adds for details.
     *
     * @param failure any failure
     * @return the code; -1 if the failure is not one of SQLite
     */
    public static int code(@Nullable Throwable failure) {
        return failure instanceof SQLException sql && sql.getClass().getName().equals(EXCEPTION)
                ? sql.getErrorCode() & 0xff
                : NONE;
    }

    /**
     * Returns whether SQLite cannot create a file in the directory of the database.
     *
     * @param failure any failure
     * @return whether {@link #READ_ONLY_DIRECTORY_ADVICE} helps
     */
    public static boolean isReadOnlyDirectory(Throwable failure) {
        return code(failure) == READ_ONLY
                && String.valueOf(failure.getMessage()).startsWith(READ_ONLY_DIRECTORY);
    }
}
