package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;

/** A connection in auto-commit mode that cannot write until it is closed. Confined to its thread. */
final class ReadOnlyMode implements TransactionView.Owner {
    private final Connection connection;

    /** Whether a pragma may replace {@code setReadOnly}, which SQLite's plain driver rejects. */
    private final boolean pragmaAllowed;

    private boolean pragmaUsed;

    private ReadOnlyMode(Connection connection, boolean pragmaAllowed) {
        this.connection = connection;
        this.pragmaAllowed = pragmaAllowed;
    }

    static Connection of(Connection connection) throws SQLException {
        return open(new ReadOnlyMode(connection, false));
    }

    static Connection ofSqlite(Connection connection) throws SQLException {
        return open(new ReadOnlyMode(connection, true));
    }

    private static Connection open(ReadOnlyMode mode) throws SQLException {
        mode.connection.setAutoCommit(true);
        mode.set(true);
        return TransactionView.of(mode.connection, mode);
    }

    private void set(boolean readOnly) throws SQLException {
        if (!pragmaUsed) {
            try {
                connection.setReadOnly(readOnly);
                return;
            } catch (SQLException e) {
                if (!pragmaAllowed) {
                    throw e;
                }
                pragmaUsed = true;
            }
        }
        Jdbc.execute(connection, "PRAGMA query_only = " + readOnly);
    }

    @Override
    public void rollback() {
        // There is no transaction.
    }

    @Override
    public void closed() throws SQLException {
        try (connection) {
            set(false);
            connection.setAutoCommit(true);
        }
    }
}
