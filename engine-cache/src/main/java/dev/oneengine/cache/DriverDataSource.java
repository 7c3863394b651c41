package dev.oneengine.cache;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections straight from a driver, all with the same properties. The pool gets this object instead of a URL and properties, which it
 * would write to its log. Thread-safe.
 */
final class DriverDataSource implements DataSource {
    private final Connector connector;
    private final String jdbcUrl;
    private final Properties properties;

    /** The queue of the connections; {@code null} for a server, which orders its clients itself. */
    final @Nullable AccessQueue queue;

    /** How long a closing pool waits for a connection in progress. Set by HikariCP. */
    private volatile int loginTimeout;

    /** All connections that may be open. Opening another one removes those that are closed. */
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /** A connection that was opened before the pool requested one. */
    private final AtomicReference<@Nullable Connection> early = new AtomicReference<>();

    /** Set once, before all connections are closed. A connection that is opened later finds it set. */
    private volatile boolean closed;

    private volatile Runnable afterOpening = () -> {};

    /**
     * Creates a data source without connections.
     *
     * @param queue the queue of the connections, or {@code null} if they have none
     */
    DriverDataSource(Connector connector, String jdbcUrl, Properties properties, @Nullable AccessQueue queue) {
        this.connector = connector;
        this.jdbcUrl = jdbcUrl;
        this.properties = properties;
        this.queue = queue;
    }

    /** {@link Driver#connect}, or a replacement. */
    @FunctionalInterface
    interface Connector {
        @Nullable Connection connect(String jdbcUrl, Properties properties) throws SQLException;

        /** Connects and finishes the connection. Closes the connection if that fails. */
        default @Nullable Connection connect(String jdbcUrl, Properties properties, Finish finish) throws SQLException {
            Connection connection = connect(jdbcUrl, properties);
            try {
                if (connection != null) {
                    finish.finish(connection);
                }
                return connection;
            } catch (Throwable e) {
                new FailureCollector(e).attempt(Objects.requireNonNull(connection)::close);
                throw e;
            }
        }
    }

    /** The last step before the first use of a connection. */
    @FunctionalInterface
    interface Finish {
        void finish(Connection connection) throws SQLException;
    }

    /** Whether {@link #stop} was called. */
    boolean isClosed() {
        return closed;
    }

    /** Sets an action that runs after each connection is opened, in the thread that opens it. */
    void afterOpening(Runnable action) {
        afterOpening = action;
    }

    /** Opens the connection for the next call. Fails at once, whereas a pool would retry for another second. */
    void connectEarly() throws SQLException {
        early.set(getConnection());
    }

    /** Tests the properties on another database: SQLite creates a new file before it reads them. */
    void rehearse(String otherJdbcUrl) throws SQLException {
        connect(otherJdbcUrl).close();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection made = early.getAndSet(null);
        if (made != null) {
            return made;
        }
        Connection connection = connect(jdbcUrl);
        try {
            connections.removeIf(DriverDataSource::isClosed);
            connections.add(connection);
            if (closed) {
                throw new SQLException("The engine was closed while it opened a connection");
            }
            afterOpening.run();
            return connection;
        } catch (Throwable e) {
            new FailureCollector(e).attempt(connection::close);
            throw e;
        }
    }

    private Connection connect(String url) throws SQLException {
        Properties copy = new Properties();
        copy.putAll(properties);
        Connection connection = connector.connect(url, copy);
        if (connection == null) {
            throw new SQLException("The driver does not support " + url);
        }
        return connection;
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException | RuntimeException e) {
            // Unknown, so it stays in the list and is closed later.
            return false;
        }
    }

    /** Rejects new connections from now on, and ends all waits in the queue. */
    void stop() {
        closed = true;
        if (queue != null) {
            queue.close();
        }
    }

    /**
     * Closes all connections. A closed pool loses track of a connection in progress, and of connections in use if the
     * driver does not abort them. Each of them would keep its file, its locks and its place on the server.
     */
    void close() throws SQLException {
        stop();
        FailureCollector failures = new FailureCollector();
        for (Connection connection : connections) {
            failures.attempt(() -> connection.abort(Runnable::run));
        }
        failures.<SQLException>rethrow();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The URL contains user and password");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("Not a wrapper of " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) {
        // Each driver has its own way of logging.
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Not all drivers use java.util.logging");
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}
