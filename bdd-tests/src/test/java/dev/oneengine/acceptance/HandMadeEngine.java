package dev.oneengine.acceptance;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A pool on a SQLite database in memory, made by hand. Thread-safe. */
final class HandMadeEngine implements EngineUnderTest {
    private final HikariDataSource pool;
    private final AutoCloseable anchor;

    /** Held while the database is migrated. */
    private final Object migration = new Object();

    private HandMadeEngine(HikariDataSource pool, AutoCloseable anchor) {
        this.pool = pool;
        this.anchor = anchor;
    }

    /** Makes an engine. */
    interface Opening {
        HandMadeEngine open() throws SQLException;
    }

    /** A database of all its connections, which wait for each other. */
    static HandMadeEngine common() throws SQLException {
        return common(UUID.randomUUID().toString());
    }

    private static HandMadeEngine common(String name) throws SQLException {
        return anchored("jdbc:sqlite:file:/" + name + "?vfs=memdb&transaction_mode=IMMEDIATE");
    }

    /** Makes an independent copy of the database. */
    HandMadeEngine copy() throws SQLException {
        String name = UUID.randomUUID().toString();
        HandMadeEngine copy = common(name);
        Sql.execute(pool, "VACUUM INTO 'file:/" + name + "?vfs=memdb'");
        return copy;
    }

    /** A database of all its connections, which do not wait for each other. */
    static HandMadeEngine sharedCache() throws SQLException {
        return anchored("jdbc:sqlite:file:" + UUID.randomUUID() + "?mode=memory&cache=shared");
    }

    /** A database for each connection. */
    static HandMadeEngine plainMemory() {
        return new HandMadeEngine(pool("jdbc:sqlite::memory:"), () -> {});
    }

    private static HandMadeEngine anchored(String url) throws SQLException {
        Connection anchor = DriverManager.getConnection(url);
        return new HandMadeEngine(pool(url), anchor);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMinimumIdle(0);
        config.addDataSourceProperty("busy_timeout", "5000");
        return new HikariDataSource(config);
    }

    @Override
    public Identity identity() {
        return Identity.of(this);
    }

    DataSource dataSource() {
        return pool;
    }

    @Override
    public ConnectionUnderTest connect() throws SQLException {
        return JdbcConnection.open(pool);
    }

    @Override
    public boolean isClosed() {
        return pool.isClosed();
    }

    @Override
    public void closeIdleConnections() throws SQLException {
        PhysicalConnections.close(pool);
    }

    Object migration() {
        return migration;
    }

    @Override
    public void close() throws Exception {
        pool.close();
        anchor.close();
    }
}
