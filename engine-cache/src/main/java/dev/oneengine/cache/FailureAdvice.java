package dev.oneengine.cache;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.oneengine.cache.internal.SqliteFailures;
import dev.oneengine.cache.internal.Throwables;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains why a database cannot be opened, and what to do. Stateless and thread-safe. */
final class FailureAdvice {
    /** The reasons and remedies by SQLite's primary result code. */
    private static final Map<Integer, String> SQLITE = Map.of(
            5, "another process holds a lock on it; end that process, or raise the busyTimeout",
            8, "it is read-only; grant write permission, or open it with file: and ?mode=ro",
            10, "the disk or the file system failed; see the system log",
            11, "the database is damaged; restore it from a backup",
            13, "the disk is full; free some space",
            14, "the file cannot be opened or created; check that its directory is writable",
            26, "the file is not an SQLite database, or it is encrypted; name another file");

    /** The reasons and remedies by the first two characters of PostgreSQL's SQL state. */
    private static final Map<String, String> POSTGRESQL = Map.of(
            "28", "the server rejects this user or password; correct them in the URL",
            "3D", "the server has no such database; create it, or correct the name",
            "08", "the server does not answer; check host, port and network, and that the server is running",
            "53", "the server accepts no more connections; lower the poolSize or raise the server's limit",
            "57", "the server is starting or stopping; try again later");

    private FailureAdvice() {}

    static String of(Throwable failure) {
        Throwable cause = failure instanceof PoolInitializationException
                ? Objects.requireNonNullElse(failure.getCause(), failure)
                : failure;
        String message = Throwables.message(cause);
        String reason = cause instanceof SQLException sql ? reason(sql) : null;
        return reason == null ? message : reason + " (" + message + ")";
    }

    private static @Nullable String reason(SQLException failure) {
        if (SqliteFailures.isReadOnlyDirectory(failure)) {
            return SqliteFailures.READ_ONLY_DIRECTORY_ADVICE;
        }
        int code = SqliteFailures.code(failure);
        if (code >= 0) {
            return SQLITE.get(code);
        }
        String state = failure.getSQLState();
        return state == null || state.length() < 2 ? null : POSTGRESQL.get(state.substring(0, 2));
    }
}
