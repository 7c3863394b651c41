package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;

/** The statements that begin and end the transactions of one connection. Confined to its thread. */
final class TransactionCommands {
    private final SqliteCommand deferred;
    private final SqliteCommand immediate;
    private final SqliteCommand exclusive;
    private final SqliteCommand commit;
    private final SqliteCommand rollback;
    private final OpenCursors cursors;

    TransactionCommands(SQLiteConnection connection, OpenCursors cursors) throws SQLException {
        this.deferred = new SqliteCommand(connection, "BEGIN");
        this.immediate = new SqliteCommand(connection, "BEGIN IMMEDIATE");
        this.exclusive = new SqliteCommand(connection, "BEGIN EXCLUSIVE");
        this.commit = new SqliteCommand(connection, "COMMIT");
        this.rollback = new SqliteCommand(connection, "ROLLBACK");
        this.cursors = cursors;
    }

    void begin(boolean write, TransactionMode mode) throws SQLException {
        (!write ? deferred : mode == TransactionMode.EXCLUSIVE ? exclusive : immediate).run();
    }

    void commit() throws SQLException {
        commit.run();
    }

    /** Rolls back; does nothing if SQLite has ended the transaction by itself. */
    void rollback() throws SQLException {
        rollback.runIfPossible();
    }

    /** Returns whether SQLite has an open transaction. Beginning another one is the only way to find out. */
    boolean isOpen() throws SQLException {
        if (!begins()) {
            return true; // "cannot start a transaction within a transaction"
        }
        try {
            commit.run();
        } catch (SQLException e) {
            cursors.end(); // one of them writes, and its last row would have committed
            commit.run();
        }
        return false;
    }

    private boolean begins() throws SQLException {
        try {
            return deferred.runIfPossible();
        } catch (SQLException e) {
            cursors.endAll(); // an interrupt lasts until no statement runs
            return deferred.runIfPossible();
        }
    }
}
