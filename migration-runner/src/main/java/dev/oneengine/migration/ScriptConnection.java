package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A connection to PostgreSQL for scripts that run outside a transaction, or each in its own. What they and Flyway do needs one
 * session of the server from beginning to end. Confined to its thread.
 */
final class ScriptConnection {
    private final Connection connection;
    private final SessionSettings session;

    private ScriptConnection(Connection connection) throws SQLException {
        this.connection = connection;
        this.session = SessionSettings.of(connection);
    }

    /**
     * Prepares a connection.
     *
     * @throws SQLException if its session may be another one in the next transaction
     */
    static Connection on(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        requireSession(connection);
        ScriptConnection script = new ScriptConnection(connection);
        // Flyway must see what others committed while it waited for its lock.
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return Proxies.of(Connection.class, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "commit" -> script.refuseAborted();
                case "close" -> {
                    script.close();
                    return null;
                }
                default -> {}
            }
            return Proxies.call(connection, method, arguments);
        });
    }

    private static void requireSession(Connection connection) throws SQLException {
        if (!keepsSession(connection)) {
            throw new SQLException("scripts that run outside a transaction, or each in its own, need one session of the"
                    + " server for the whole run, and this connection cannot be shown to keep its session: it passes a"
                    + " proxy such as PgBouncer, or its pool hides the driver; run these migrations on a direct"
                    + " connection to the server");
        }
    }

    /** A proxy that shares sessions invents process numbers for its clients, by which they cancel statements. */
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
    private void refuseAborted() throws SQLException {
        OneTransaction.execute(connection, "SELECT 1");
    }

    private void close() throws SQLException {
        if (Undo.onFailure(connection::close, connection::isClosed)) {
            return;
        }
        try (connection) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            session.restore(connection);
        }
    }
}
