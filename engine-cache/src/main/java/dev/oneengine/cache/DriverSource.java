package dev.oneengine.cache;

import dev.oneengine.cache.DatabaseUrl.Kind;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/**
 * Connections straight from a driver, each with the same properties. The pool gets this instead of a URL and properties,
 * which it would write into its log. Thread-safe.
 */
final class DriverSource implements DataSource {
    private final Connector connector;
    private final String jdbcUrl;
    private final Properties properties;

    /** What the connections of SQLite wait in; servers order their clients themselves. */
    private final @Nullable AccessQueue queue;

    /** So long a pool that is closed waits for the connection that it is just making. It sets this itself. */
    private volatile int loginTimeout;

    /** All connections that may be open; those that are not are taken out when the next one is made. */
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /** A connection that was made before the pool asked for one. */
    private final AtomicReference<@Nullable Connection> early = new AtomicReference<>();

    /** Set once, before the connections are looked at; a connection that comes later looks at this. */
    private volatile boolean closed;

    DriverSource(Connector connector, String jdbcUrl, Properties properties) {
        this.connector = connector;
        this.jdbcUrl = jdbcUrl;
        this.properties = properties;
        this.queue = null;
    }

    private DriverSource(AccessQueue queue, int keptStatements, String jdbcUrl, Properties properties) {
        this.connector = (url, copy) ->
                new SqliteConnection(url, url.substring(JDBC.PREFIX.length()), copy, queue, keptStatements);
        this.jdbcUrl = jdbcUrl;
        this.properties = properties;
        this.queue = queue;
    }

    /** {@link Driver#connect}, or what is better. */
    @FunctionalInterface
    interface Connector {
        @Nullable Connection connect(String jdbcUrl, Properties properties) throws SQLException;

        /** Connects and finishes the connection. If that fails, the connection is closed. */
        default @Nullable Connection connect(String jdbcUrl, Properties properties, Finish finish) throws SQLException {
            Connection connection = connect(jdbcUrl, properties);
            try {
                if (connection != null) {
                    finish.finish(connection);
                }
                return connection;
            } catch (Throwable e) {
                new Failures(e).attempt(Objects.requireNonNull(connection)::close);
                throw e;
            }
        }
    }

    /** What a connection needs before its first use. */
    @FunctionalInterface
    interface Finish {
        void finish(Connection connection) throws SQLException;
    }

    /**
     * Prepares connections to a database; makes none yet.
     *
     * @throws EngineCreationException if there is no driver, or it does not know a parameter of the URL
     */
    static DriverSource of(DatabaseUrl url, EngineSettings settings) throws SQLException {
        Properties properties = url.driverProperties();
        Driver driver = load(url.kind() == Kind.POSTGRESQL ? "org.postgresql.Driver" : "org.sqlite.JDBC");
        refuseUnknown(driver, url);
        if (url.kind() == Kind.POSTGRESQL) {
            PostgresSockets.configure(properties, settings);
            Connector connector =
                    settings.isolation() == null ? driver::connect : PostgresSession.keptBy(driver::connect);
            return new DriverSource(
                    (jdbcUrl, copy) -> PostgresSockets.connect(connector, jdbcUrl, copy), url.jdbcUrl(), properties);
        }
        AccessQueue queue = new AccessQueue(url.toString(), url.kind() == Kind.SQLITE_MEMORY, settings.poolSize());
        properties.putIfAbsent("foreign_keys", Boolean.toString(settings.foreignKeys()));
        properties.putIfAbsent(
                "busy_timeout", Long.toString(settings.busyTimeout().toMillis()));
        if (!SqliteFile.isReadOnly(url)) {
            // A transaction that reads first and then writes would fail at once where another one writes meanwhile: it
            // has to begin as a writer.
            properties.putIfAbsent("transaction_mode", "IMMEDIATE");
        }
        if (url.kind() == Kind.SQLITE_MEMORY) {
            // Behind a slash, a name of the memdb file system is one database for the whole process, so the name is one
            // that nobody else can have: not another cache, and not the engine that is evicted before this one.
            return new DriverSource(
                    queue,
                    settings.statementCache(),
                    "jdbc:sqlite:file:/" + UUID.randomUUID() + "?vfs=memdb",
                    properties);
        }
        if (!SqliteFile.isReadOnly(url)) {
            properties.putIfAbsent("journal_mode", "WAL");
        }
        return new DriverSource(queue, settings.statementCache(), url.jdbcUrl(), properties);
    }

    @Nullable AccessQueue queue() {
        return queue;
    }

    /** An application adds the driver of its server, in the version of its choice, and may exclude that of SQLite. */
    static Driver load(String className) {
        try {
            return Class.forName(className)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "the driver " + className + " is missing; add it to the class path, for PostgreSQL from "
                            + "org.postgresql:postgresql, for SQLite from org.xerial:sqlite-jdbc",
                    e);
        }
    }

    /** A parameter with a typing error would otherwise be ignored, and nobody would know. */
    private static void refuseUnknown(Driver driver, DatabaseUrl url) throws SQLException {
        Set<String> unknown = new TreeSet<>(url.driverProperties().stringPropertyNames());
        if (unknown.isEmpty()) {
            return;
        }
        Set<String> known = Arrays.stream(driver.getPropertyInfo(url.jdbcUrl(), new Properties()))
                .map((DriverPropertyInfo property) -> property.name)
                .collect(Collectors.toSet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "the driver knows no parameter " + String.join(", ", unknown) + "; correct or remove it");
        }
    }

    /** Whether all connections are closed, or being closed. */
    boolean isClosed() {
        return closed;
    }

    /** Makes the connection that the next call gets. Here it fails at once, while a pool tries for another second. */
    void connectEarly() throws SQLException {
        early.set(getConnection());
    }

    /**
     * Makes sure that the parameters of a new file are right, on another database: SQLite creates the file before it looks at
     * them.
     */
    void rehearse() throws SQLException {
        Properties copy = new Properties();
        copy.putAll(properties);
        JDBC.createConnection("jdbc:sqlite::memory:", copy).close();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection made = early.getAndSet(null);
        if (made != null) {
            return made;
        }
        Properties copy = new Properties();
        copy.putAll(properties);
        Connection connection = connector.connect(jdbcUrl, copy);
        if (connection == null) {
            throw new SQLException("The driver does not take " + jdbcUrl);
        }
        try {
            connections.removeIf(DriverSource::isClosed);
            connections.add(connection);
            if (closed) {
                throw new SQLException("The engine was closed while it made a connection");
            }
            return connection;
        } catch (Throwable e) {
            new Failures(e).attempt(connection::close);
            throw e;
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException | RuntimeException e) {
            // Not known to be closed: stays to be closed.
            return false;
        }
    }

    /** Makes no more connections from now on. */
    void stop() {
        closed = true;
        if (queue != null) {
            queue.close();
        }
    }

    /**
     * Closes all connections. A pool that is closed loses sight of those that are in use where the driver does not abort them,
     * and of one that it was just making; each would keep its file, its locks and its place on the server.
     */
    void close() throws SQLException {
        stop();
        Failures failures = new Failures();
        for (Connection connection : connections) {
            failures.attempt(() -> connection.abort(Runnable::run));
        }
        failures.<SQLException>rethrow();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("User and password are those of the URL");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("This is no wrapper of a " + type.getName());
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
        // Drivers log in ways of their own.
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
        throw new SQLFeatureNotSupportedException("Not all drivers log by java.util.logging");
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}
