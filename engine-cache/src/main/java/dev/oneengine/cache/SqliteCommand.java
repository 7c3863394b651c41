package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;
import org.sqlite.core.SafeStmtPtr;
import org.sqlite.jdbc4.JDBC4PreparedStatement;

/**
 * A statement without parameters that a connection runs for itself. It is prepared once, because preparing costs more than running, and
 * is closed with the connection. Confined to its connection's thread.
 */
final class SqliteCommand {
    private static final int FAILED = SQLiteErrorCode.SQLITE_ERROR.code;

    private final DB database;
    private final SafeStmtPtr pointer;

    SqliteCommand(SQLiteConnection connection, String sql) throws SQLException {
        database = connection.getDatabase();
        pointer = new JDBC4PreparedStatement(connection, sql).pointer;
    }

    /** Runs a query once and returns the first column of its first row. */
    static long valueOf(SQLiteConnection connection, String sql) throws SQLException {
        SqliteCommand command = new SqliteCommand(connection, sql);
        try {
            return command.value();
        } finally {
            command.pointer.close();
        }
    }

    void run() throws SQLException {
        step(false);
    }

    /**
     * Runs the command.
     *
     * @return whether it succeeded; {@code false} if SQLite reports a general error, such as a missing transaction
     * @throws SQLException if it failed with any other code
     */
    boolean runIfPossible() throws SQLException {
        return step(true) != FAILED;
    }

    private int step(boolean mayFail) throws SQLException {
        // Under the lock of the database, so that the message belongs to this failure.
        synchronized (database) {
            int code = pointer.safeRunInt(DB::step);
            try {
                if (!isGood(code) && !(mayFail && code == FAILED)) {
                    database.throwex(code);
                }
                return code;
            } finally {
                pointer.safeRunInt(DB::reset);
            }
        }
    }

    /** Runs the query and returns the first column of its first row. */
    long value() throws SQLException {
        synchronized (database) {
            int code = pointer.safeRunInt(DB::step);
            try {
                if (!isGood(code)) {
                    database.throwex(code);
                }
                return pointer.safeRunLong((db, statement) -> db.column_long(statement, 0));
            } finally {
                pointer.safeRunInt(DB::reset);
            }
        }
    }

    private static boolean isGood(int code) {
        return code == SQLiteErrorCode.SQLITE_DONE.code || code == SQLiteErrorCode.SQLITE_ROW.code;
    }
}
