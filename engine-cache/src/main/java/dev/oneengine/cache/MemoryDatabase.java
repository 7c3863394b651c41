package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import java.sql.SQLException;
import java.util.UUID;

/**
 * SQLite in memory: one database for all connections of the engine. An {@link Anchor} keeps the database alive while pooled connections
 * come and go. Immutable and thread-safe.
 */
final class MemoryDatabase extends SqliteDatabase {
    private final Anchor anchor;

    MemoryDatabase(DatabaseUrl url, EngineSettings settings) throws SQLException {
        // After a slash, a name of the memdb file system means one database for the whole process. The name is unique,
        // so neither another cache nor an evicted engine of the same URL shares the database.
        this(url, settings, new Anchor("jdbc:sqlite:file:/" + UUID.randomUUID() + "?vfs=memdb"));
    }

    private MemoryDatabase(DatabaseUrl url, EngineSettings settings, Anchor anchor) throws SQLException {
        super(url, settings, anchor.jdbcUrl(), url.driverProperties(), anchor);
        this.anchor = anchor;
    }

    /** Keeps connections forever: no network can break them, and no server needs them back. */
    @Override
    public void configure(HikariConfig config) {
        super.configure(config);
        config.setIdleTimeout(0);
        config.setMaxLifetime(0);
        config.setKeepaliveTime(0);
    }

    @Override
    public void start(HikariConfig config, Runnable openPool) throws SQLException {
        driver.connectEarly(); // the first connection of the pool
        openPool.run();
    }

    @Override
    public void close() throws SQLException {
        anchor.close();
    }

    @Override
    public boolean sharesHousekeeper() {
        return true;
    }
}
