package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A connection to PostgreSQL for scripts that run outside a transaction, or each in its own. Flyway and its scripts need one session of
 * the server from beginning to end. Confined to its thread.
 */
final class PostgresScriptSession {
    private final Connection connection;
    private final PostgresSessionSettings settings;

    private PostgresScriptSession(Connection connection) throws SQLException {
        this.connection = connection;
        this.settings = PostgresSessionSettings.of(connection);
    }

    /**
     * Prepares a connection.
     *
     * @throws SQLException if the next transaction may get another session
     */
    static Connection of(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        requireSession(connection);
        PostgresScriptSession session = new PostgresScriptSession(connection);
        // Flyway must see what others committed while it waited for its lock.
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return Jdbc.proxy(Connection.class, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "commit" -> session.requireNotAborted();
                case "close" -> {
                    session.close();
                    return null;
                }
                default -> {}
            }
            return Jdbc.call(connection, method, arguments);
        });
    }

    private static void requireSession(Connection connection) throws SQLException {
        if (!keepsSession(connection)) {
            throw new SQLException("scripts that run outside a transaction, or each in its own, need one session of the"
                    + " server for the whole run, but this connection may change its session: it passes a proxy such as"
                    + " PgBouncer, or its pool hides the driver; run these migrations on a direct connection to the"
                    + " server");
        }
    }

    /** A proxy that shares sessions invents process numbers for its clients, which use them to cancel statements. */
    private static boolean keepsSession(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            Class<?> driver = Class.forName("org.postgresql.PGConnection");
            return connection.isWrapperFor(driver)
                    && driver.getMethod("getBackendPID")
                            .invoke(connection.unwrap(driver))
                            .equals(rows.getInt(1));
        } catch (ReflectiveOperationException e) {
            return false; // another driver
        }
    }

    /** The server answers COMMIT of a failed transaction with a rollback, which the driver does not report. */
    private void requireNotAborted() throws SQLException {
        Jdbc.execute(connection, "SELECT 1");
    }

    private void close() throws SQLException {
        if (Cleanup.onFailure(connection::close, connection::isClosed)) {
            return;
        }
        try (connection) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            settings.restore(connection);
        }
    }
}
