package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection to PostgreSQL that only reads and leaves no trace, not even in a session that a pool or a proxy gives to other clients.
 * It is one read-only transaction, rolled back at the end. Confined to its thread.
 */
final class PostgresReadOnlyTransaction implements TransactionView.Owner {
    private final Connection connection;

    private PostgresReadOnlyTransaction(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) throws SQLException {
        PostgresReadOnlyTransaction transaction = new PostgresReadOnlyTransaction(connection);
        transaction.begin();
        return TransactionView.of(connection, transaction);
    }

    private void begin() throws SQLException {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY");
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
        begin();
    }

    @Override
    public void closed() throws SQLException {
        try (connection) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
