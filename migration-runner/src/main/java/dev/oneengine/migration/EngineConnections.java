package dev.oneengine.migration;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Connections to an engine's database for Flyway. They come from below the pool: what scripts do to a connection, such as
 * {@code PRAGMA foreign_keys = OFF} or {@code SET search_path}, must not reach anybody else, and Flyway takes several at once,
 * which a pool of one does not have. An engine with a pool of another kind gives its own, with the limits of that pool.
 *
 * <p>Thread-safe.
 */
final class EngineConnections extends ConnectionSource {
    private final Engine engine;
    private final boolean readOnly;

    private EngineConnections(Engine engine, boolean readOnly) {
        this.engine = engine;
        this.readOnly = readOnly;
    }

    static DataSource forReading(Engine engine) {
        return new EngineConnections(engine, true);
    }

    static DataSource forMigrating(Engine engine) {
        return new EngineConnections(engine, false);
    }

    @Override
    public Connection getConnection() throws SQLException {
        DataSource pool = engine.dataSource();
        DataSource below = belowPool(pool);
        Connection connection = below.getConnection();
        if (!below.equals(pool)) {
            try {
                adapt(connection);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        }
        Kind kind = engine.url().kind();
        boolean keys = !readOnly && (kind == Kind.SQLITE_MEMORY || kind == Kind.SQLITE_FILE);
        return keys ? ForeignKeys.suspendedOn(connection) : connection;
    }

    /** Where a pool's connections come from, or the pool where that cannot be told. */
    static DataSource belowPool(DataSource pool) throws SQLException {
        DataSource below = pool.isWrapperFor(HikariDataSource.class)
                ? pool.unwrap(HikariDataSource.class).getDataSource()
                : null;
        return below == null ? pool : below;
    }

    private void adapt(Connection connection) throws SQLException {
        boolean server = engine.url().kind() == Kind.POSTGRESQL;
        if (server) {
            // Flyway tries to lock and then reads what is applied, in one transaction. If that sees the database as it
            // was when it began, it does not see what the process did that it waited for, and does it again.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            // The socket timeout limits statements of the application. Migrations may take longer.
            connection.setNetworkTimeout(Runnable::run, 0);
        }
        if (readOnly) {
            if (server) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
                }
            } else {
                // Flyway restores the schema in a transaction, even where it only reads; this lets it begin as a
                // reader.
                connection.setReadOnly(true);
            }
        }
    }
}
