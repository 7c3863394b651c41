package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** PostgreSQL, also behind proxies that share its sessions. Immutable and thread-safe. */
final class PostgresSupport implements DatabaseSupport {
    /** The letters of "oneengin" as a number, so that no other program is likely to lock it. */
    private static final long ADVISORY_LOCK = 0x6f6e65656e67696eL;

    @Override
    public void removeSocketTimeout(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, 0);
    }

    @Override
    public Connection forReading(Connection connection) throws SQLException {
        return PostgresReadOnlyTransaction.of(connection);
    }

    @Override
    public Connection forScripts(Connection connection) throws SQLException {
        return PostgresScriptSession.of(connection);
    }

    @Override
    public boolean rollsBackSchemaChanges() {
        return true;
    }

    /** Flyway retries its own lock only once a second. This lock wakes the next runner at once. */
    @Override
    public BeforeCommit lock(Connection connection, Duration lockTimeout) throws SQLException {
        // Above READ COMMITTED, a transaction does not see what another process committed during the wait for the
        // lock. Connections of another kind of pool may have another isolation.
        Jdbc.execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        PostgresSessionSettings session = PostgresSessionSettings.of(connection);
        // Zero would mean no limit.
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, lockTimeout.toMillis()));
        long ofRole = lockTimeoutMillis(connection);
        Jdbc.execute(connection, "SET LOCAL lock_timeout = " + millis);
        Jdbc.execute(connection, "SELECT pg_advisory_xact_lock(" + ADVISORY_LOCK + ")");
        // The limit also applies to scripts, because a script may wait for a lock that its own thread holds. But a
        // shorter limit
        // of the role protects the application: other statements queue behind a script that waits.
        if (ofRole > 0 && ofRole < millis) {
            Jdbc.execute(connection, "SET LOCAL lock_timeout = " + ofRole);
        }
        return session::restore;
    }

    /** Returns 0 for no limit. */
    private static long lockTimeoutMillis(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet setting =
                        statement.executeQuery("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'")) {
            setting.next();
            return setting.getLong(1);
        }
    }

    @Override
    public void configureForScripts(FluentConfiguration flyway) {
        FlywayLockMode.withoutTransaction(flyway);
    }
}
