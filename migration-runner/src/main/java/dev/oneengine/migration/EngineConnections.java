package dev.oneengine.migration;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import java.sql.Connection;
import java.sql.SQLException;
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
    private final Adapter adapter;

    private EngineConnections(Engine engine, Adapter adapter) {
        this.engine = engine;
        this.adapter = adapter;
    }

    /** Makes a connection fit for its purpose. */
    @FunctionalInterface
    private interface Adapter {
        Connection adapt(Connection connection) throws SQLException;
    }

    static DataSource forReading(Engine engine) {
        return new EngineConnections(
                engine, connection -> Inspection.on(connection, engine.url().kind()));
    }

    /** For a run that is one transaction. */
    static DataSource forMigrating(Engine engine) {
        return new EngineConnections(
                engine, engine.url().kind().isSqlite() ? ForeignKeys::suspendedOn : connection -> connection);
    }

    /** For a run in which scripts have transactions of their own, or none. */
    static DataSource forScripts(Engine engine) {
        return engine.url().kind() == Kind.POSTGRESQL
                ? new EngineConnections(engine, ScriptConnection::on)
                : forMigrating(engine);
    }

    @Override
    public Connection getConnection() throws SQLException {
        DataSource pool = engine.dataSource();
        DataSource below = belowPool(pool);
        Connection connection = below.getConnection();
        return Undo.onFailure(connection::close, () -> {
            if (engine.url().kind() == Kind.POSTGRESQL && !below.equals(pool)) {
                // The socket timeout limits statements of the application. Migrations may take longer.
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return adapter.adapt(connection);
        });
    }

    /** Where a pool's connections come from, or the pool where that cannot be told. */
    static DataSource belowPool(DataSource pool) throws SQLException {
        DataSource below = pool.isWrapperFor(HikariDataSource.class)
                ? pool.unwrap(HikariDataSource.class).getDataSource()
                : null;
        return below == null ? pool : below;
    }
}
