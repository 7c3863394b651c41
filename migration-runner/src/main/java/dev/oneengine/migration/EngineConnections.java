package dev.oneengine.migration;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections to an engine's database for Flyway. They bypass the pool for two reasons. Scripts change their connection, for example by
 * {@code PRAGMA foreign_keys = OFF} or {@code SET search_path}. And Flyway needs several connections at once, even if the pool has only
 * one. An engine with an unknown kind of pool lends its own connections, with the limits of that pool.
 *
 * <p>Thread-safe.
 */
final class EngineConnections extends ConnectionOnlyDataSource {
    private final Engine engine;
    private final DatabaseSupport support;
    private final Purpose purpose;

    private EngineConnections(Engine engine, DatabaseSupport support, Purpose purpose) {
        this.engine = engine;
        this.support = support;
        this.purpose = purpose;
    }

    /** Prepares a connection for its use. */
    @FunctionalInterface
    private interface Purpose {
        Connection prepare(Connection connection) throws SQLException;
    }

    static DataSource forReading(Engine engine, DatabaseSupport support) {
        return new EngineConnections(engine, support, support::forReading);
    }

    /** Returns connections for a run in one transaction. */
    static DataSource forRun(Engine engine, DatabaseSupport support) {
        return new EngineConnections(engine, support, support::forRun);
    }

    /** Returns connections for a run in which each script has its own transaction, or none. */
    static DataSource forScripts(Engine engine, DatabaseSupport support) {
        return new EngineConnections(engine, support, support::forScripts);
    }

    @Override
    public Connection getConnection() throws SQLException {
        DataSource pool = engine.dataSource();
        DataSource below = belowPool(pool);
        Connection connection = below.getConnection();
        return Cleanup.onFailure(connection::close, () -> {
            if (!below.equals(pool)) {
                support.removeSocketTimeout(connection);
            }
            return purpose.prepare(connection);
        });
    }

    /** Returns the source of a pool's connections, or the pool itself if that is unknown. */
    static DataSource belowPool(DataSource pool) throws SQLException {
        DataSource below = pool.isWrapperFor(HikariDataSource.class)
                ? pool.unwrap(HikariDataSource.class).getDataSource()
                : null;
        return below == null ? pool : below;
    }
}
