package dev.oneengine.soak;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.oneengine.cache.EngineClosedException;
import dev.oneengine.cache.EngineCreationException;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.PreparationException;
import dev.oneengine.migration.MigrationException;
import dev.oneengine.migration.MigrationScriptException;
import dev.oneengine.work.AfterCommitException;
import dev.oneengine.work.RollbackOnlyException;
import dev.oneengine.work.TransactionException;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Describes failures in words that are the same for all databases. Stateless and thread-safe. */
final class Failures {
    static final String AFTER_COMMIT = "AfterCommit";
    static final String BUSY = "busy";
    static final String CONFLICT = "conflict";
    static final String CLOSED = "EngineClosed";
    static final String INTERRUPTED = "interrupted";
    static final String LOST = "lost";
    static final String POOL = "no connection";

    private Failures() {}

    static String describe(@Nullable Throwable failure) {
        if (failure == null) {
            return "-";
        }
        if (Planned.isPlanned(failure)) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof SQLException e) {
            return sql(e);
        }
        if (failure instanceof EngineException
                && String.valueOf(failure.getMessage()).startsWith("Interrupted")) {
            return INTERRUPTED;
        }
        String name = name(failure);
        if (name != null) {
            return name + "(" + describe(failure.getCause()) + ")";
        }
        if (failure instanceof UndeclaredThrowableException
                || failure instanceof PoolInitializationException
                || failure.getClass().getName().startsWith("org.springframework.")) {
            return describe(failure.getCause());
        }
        return failure.toString();
    }

    private static @Nullable String name(Throwable failure) {
        if (failure instanceof RollbackOnlyException) {
            return "RollbackOnly";
        } else if (failure instanceof AfterCommitException) {
            return AFTER_COMMIT;
        } else if (failure instanceof TransactionException) {
            return "Transaction";
        } else if (failure instanceof EngineClosedException) {
            return CLOSED;
        } else if (failure instanceof EngineCreationException) {
            return "EngineCreation";
        } else if (failure instanceof PreparationException) {
            return "Preparation";
        } else if (failure instanceof MigrationScriptException) {
            return "MigrationScript";
        } else if (failure instanceof MigrationException) {
            return "Migration";
        }
        return null;
    }

    private static String sql(SQLException failure) {
        if (failure instanceof SQLiteException sqlite) {
            return sqlite(sqlite);
        }
        for (SQLException e = failure; e != null; e = e.getNextException()) {
            String found = state(e);
            if (found != null) {
                return found;
            }
        }
        if (failure.getCause() instanceof SQLException cause) {
            return sql(cause);
        }
        // Failures that SQLite's driver detects itself have neither SQL state nor code, and neither do interrupted
        // waits.
        String message = String.valueOf(failure.getMessage());
        if (message.equals("Connection is closed")) {
            return LOST; // HikariCP, after it has seen the connection fail
        }
        if (failure.getCause() instanceof InterruptedException
                || message.contains("Interrupted")
                || message.contains("interrupted")) {
            return INTERRUPTED;
        }
        SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(failure.getErrorCode());
        return failure.getErrorCode() == 0 ? failure.toString() : sqlite(new SQLiteException(message, code));
    }

    private static String sqlite(SQLiteException failure) {
        return switch (failure.getErrorCode() & 0xff) {
            case 1 -> "syntax";
            case 5, 6 -> BUSY;
            case 8 -> "read-only";
            case 9 -> INTERRUPTED;
            case 19 -> "constraint";
            default -> failure.toString();
        };
    }

    private static @Nullable String state(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null) {
            return null;
        }
        if (state.equals("08001") && String.valueOf(failure.getMessage()).contains("would wait for ever")) {
            return POOL;
        }
        for (List<String> known : STATES) {
            if (state.startsWith(known.get(0))) {
                return known.get(1);
            }
        }
        return null;
    }

    /** The beginnings of SQL states. */
    private static final List<List<String>> STATES = List.of(
            List.of("08", LOST),
            List.of("57P", LOST),
            List.of("23", "constraint"),
            List.of("25001", "would wait for itself"),
            List.of("25006", "read-only"),
            List.of("25000", "rejected"),
            List.of("25P02", "aborted"),
            List.of("40001", CONFLICT),
            List.of("40P01", CONFLICT),
            List.of("40000", "rolled back by SQLite"),
            List.of("42", "syntax"));

    /** Whether an expected line matches a line of a log; a question mark stands for any text. */
    static boolean matches(String expected, @Nullable String actual) {
        if (actual == null || !expected.contains("?")) {
            return Objects.equals(expected, actual);
        }
        String before = expected.substring(0, expected.indexOf('?'));
        String after = expected.substring(expected.lastIndexOf('?') + 1);
        return actual.length() >= before.length() + after.length()
                && actual.startsWith(before)
                && actual.endsWith(after)
                && !actual.endsWith(": ok");
    }
}
