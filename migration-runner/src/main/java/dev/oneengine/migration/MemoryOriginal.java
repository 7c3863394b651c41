package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.JDBC;

/**
 * A database in memory, copied page by page with SQLite's own backup: ten times as fast as {@code VACUUM INTO}, and all
 * connections of the copy see it. Thread-safe.
 */
final class MemoryOriginal implements Original {
    private final Engine engine;

    /** By this, SQLite finds the database within this process. */
    private final String name;

    private MemoryOriginal(Engine engine, String name) {
        this.engine = engine;
        this.name = name;
    }

    static MemoryOriginal create(DatabaseUrl url, EngineSettings settings) {
        Engine engine = EngineCache.create(EngineFactory.pooled(), settings).engine(url);
        try (Connection connection = engine.dataSource().getConnection()) {
            return new MemoryOriginal(engine, connection.getMetaData().getURL().substring(JDBC.PREFIX.length()));
        } catch (SQLException e) {
            throw new EngineException("A template like " + url + " cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public Kind kind() {
        return Kind.SQLITE_MEMORY;
    }

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public void finish() {
        // The engine keeps the database alive.
    }

    @Override
    public DatabaseUrl nextFork() {
        return engine.url();
    }

    @Override
    public EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception {
        EngineSource copy = EngineFactory.pooled().open(url, settings);
        try (Connection connection =
                        EngineConnections.belowPool(copy.dataSource()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("restore from '" + name + "'");
            return copy;
        } catch (Throwable t) {
            copy.close();
            throw t;
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    @Override
    public String toString() {
        return engine.url().toString();
    }
}
