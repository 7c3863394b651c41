package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/**
 * A connection outside the pool that keeps a database in memory alive: SQLite deletes the database with its last connection.
 *
 * <p>Opened before the first connection of an open engine closes. Few pools in memory ever close one, and opening a connection is the
 * largest part of creating an engine. Thread-safe.
 */
final class Anchor {
    private final String jdbcUrl;
    private final Object lock = new Object();

    @GuardedBy("lock") private @Nullable Connection connection;

    @GuardedBy("lock") private boolean closed;

    Anchor(String jdbcUrl) {
        this.jdbcUrl = jdbcUrl;
    }

    String jdbcUrl() {
        return jdbcUrl;
    }

    /** Keeps the database alive from now on, unless its engine is closing. */
    void open() throws SQLException {
        synchronized (lock) {
            if (connection == null && !closed) {
                // Without the properties of the engine: a pragma may wait for the transaction of the closing
                // connection.
                connection = JDBC.createConnection(jdbcUrl, new Properties());
            }
        }
    }

    /** From now on, the database lives only as long as its other connections. */
    void close() throws SQLException {
        synchronized (lock) {
            closed = true;
            if (connection != null) {
                connection.close();
            }
        }
    }
}
