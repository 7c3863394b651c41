package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/** The common part of both kinds of SQLite database. Immutable and thread-safe. */
abstract class SqliteDatabase implements PooledDatabase {
    final DriverDataSource driver;

    /**
     * Prepares a database.
     *
     * @param properties the properties of the driver; this adds those that the URL leaves open
     * @param anchor keeps the database alive; {@code null} if it outlives its connections
     */
    SqliteDatabase(
            DatabaseUrl url, EngineSettings settings, String jdbcUrl, Properties properties, @Nullable Anchor anchor)
            throws SQLException {
        DriverLoader.load("org.sqlite.JDBC", url);
        properties.putIfAbsent("foreign_keys", Boolean.toString(settings.foreignKeys));
        properties.putIfAbsent("busy_timeout", Long.toString(settings.busyTimeout.toMillis()));
        if (!SqliteFileCheck.isReadOnly(url)) {
            // A transaction that reads before it writes would fail while another one writes, so it begins as a writer.
            properties.putIfAbsent("transaction_mode", "IMMEDIATE");
        }
        AccessQueue queue = Objects.requireNonNull(AccessQueue.of(url, settings));
        int statementCache = settings.statementCache;
        this.driver = new DriverDataSource(
                (target, copy) -> new SqliteConnection(
                        target, target.substring(JDBC.PREFIX.length()), copy, queue, statementCache, anchor),
                jdbcUrl,
                properties,
                queue);
    }

    @Override
    public final DriverDataSource driver() {
        return driver;
    }

    @Override
    public void configure(HikariConfig config) {
        if (config.getMinimumIdle() == 0) {
            // The first contact comes from start(): a connection that the pool opens and closes again would prove
            // nothing.
            config.setInitializationFailTimeout(-1);
        }
    }

    /** A closing pool waits for the connection that it is opening, which may wait for SQLite's lock. */
    @Override
    public final boolean closesConnectionsFirst() {
        return true;
    }
}
