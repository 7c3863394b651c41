package dev.oneengine.cache;

import dev.oneengine.cache.DriverSource.Connector;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Finds proxies that share the sessions of a PostgreSQL server among clients. Stateless and thread-safe. */
final class PostgresSession {
    private PostgresSession() {}

    /** Rejects connections whose next transaction may have another session, where a setting of the session is needed. */
    static Connector keptBy(Connector connector) {
        return (jdbcUrl, properties) -> connector.connect(jdbcUrl, properties, PostgresSession::requireKept);
    }

    /** A proxy invents process numbers for its clients, by which they cancel statements. */
    private static void requireKept(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            Object known = connection.getClass().getMethod("getBackendPID").invoke(connection);
            if (!known.equals(rows.getInt(1))) {
                throw new SQLException(
                        "the sessions of this server pass through a proxy such as PgBouncer, so the setting"
                                + " isolation would miss this client and reach others; remove it, and set"
                                + " default_transaction_isolation for the role or the database on the server");
            }
        } catch (ReflectiveOperationException e) {
            throw new SQLException("The driver cannot tell its session: " + e, e);
        }
    }
}
