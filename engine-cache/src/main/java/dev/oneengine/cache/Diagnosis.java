package dev.oneengine.cache;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says why a database cannot be opened, and what to do. Stateless and thread-safe. */
final class Diagnosis {
    /** By the primary result code of SQLite. */
    private static final Map<Integer, String> SQLITE = Map.of(
            5, "another process holds a lock on it; end that, or allow a longer busyTimeout",
            8, "it may not be written to; grant that, or open it with ?mode=ro behind file:",
            10, "the disk or the file system fails; see the system's log",
            11, "the database is damaged; restore it from a backup",
            13, "the disk is full; make room",
            14, "the file cannot be opened or created; check that its directory can be written to",
            26, "the file is no SQLite database, or it is encrypted; name another file");

    /** By the SQL state of PostgreSQL, or the class that its first two characters are. */
    private static final Map<String, String> POSTGRESQL = Map.of(
            "28", "the server refuses this user or password; correct them in the URL",
            "3D", "the server has no such database; create it, or correct the name",
            "08", "the server does not answer; check host, port and network, and that the server is running",
            "53", "the server has no room for another connection; lower the poolSize or raise the server's limit",
            "57", "the server is starting or stopping; try again");

    private Diagnosis() {}

    static String of(Throwable failure) {
        Throwable cause = failure instanceof PoolInitializationException
                ? Objects.requireNonNullElse(failure.getCause(), failure)
                : failure;
        String said = Failures.describe(cause);
        String reason = cause instanceof SQLException sql ? reason(sql) : null;
        return reason == null ? said : reason + " (" + said + ")";
    }

    private static @Nullable String reason(SQLException failure) {
        int code = SqliteFailures.code(failure);
        if (code >= 0) {
            return SQLITE.get(code);
        }
        String state = failure.getSQLState();
        return state == null || state.length() < 2 ? null : POSTGRESQL.get(state.substring(0, 2));
    }
}
