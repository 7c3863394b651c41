package dev.oneengine.acceptance;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Sql;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A database made by hand. Thread-safe. */
final class HandMadeEngine implements EngineUnderTest {
    private final DataSource dataSource;
    private final AutoCloseable database;

    /** Held while the database is migrated. */
    private final Object migration = new Object();

    private volatile boolean closed;

    /** @param database closes the data source and everything behind it */
    HandMadeEngine(DataSource dataSource, AutoCloseable database) {
        this.dataSource = dataSource;
        this.database = database;
    }

    /** Opens the database of a URL. */
    interface Opening {
        HandMadeEngine open(String url) throws SQLException;
    }

    /** Makes an independent copy of a database in memory. */
    HandMadeEngine copy() throws SQLException {
        String name = UUID.randomUUID().toString();
        HandMadeEngine copy = HandMadeDatabases.memoryOf(name);
        Sql.execute(dataSource, "VACUUM INTO 'file:/" + name + "?vfs=memdb'");
        return copy;
    }

    @Override
    public Identity identity() {
        return Identity.of(this);
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public ConnectionUnderTest connect() throws SQLException {
        return JdbcConnection.open(dataSource);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void closeIdleConnections() throws SQLException {
        if (dataSource instanceof HikariDataSource pool) {
            PhysicalConnections.close(pool);
        }
    }

    Object migration() {
        return migration;
    }

    /** Closes the engine on another thread. */
    void closeLater() {
        closed = true;
        new Thread(this::closeNow, "closer").start();
    }

    private void closeNow() {
        try {
            close();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot close the engine", e);
        }
    }

    @Override
    public void close() throws Exception {
        closed = true;
        database.close();
    }
}
