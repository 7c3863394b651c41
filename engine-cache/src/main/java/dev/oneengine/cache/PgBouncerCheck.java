package dev.oneengine.cache;

import dev.oneengine.cache.DriverDataSource.Connector;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Detects proxies that share the sessions of a PostgreSQL server among clients. Stateless and thread-safe. */
final class PgBouncerCheck {
    private PgBouncerCheck() {}

    /** Rejects connections whose next transaction may run in another session: a setting of the session would reach other clients. */
    static Connector rejecting(Connector connector) {
        return (jdbcUrl, properties) -> connector.connect(jdbcUrl, properties, PgBouncerCheck::requireOwnSession);
    }

    /** A proxy gives its clients invented process numbers, which they need to cancel statements. */
    private static void requireOwnSession(Connection connection) throws SQLException {
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
