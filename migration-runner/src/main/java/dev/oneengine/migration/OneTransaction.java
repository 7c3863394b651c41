package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One transaction for all that Flyway does in a run: scripts, callbacks, and the history table itself. By itself Flyway uses
 * several connections, which on SQLite wait for each other in vain; it leaves an empty history table behind when the first run
 * fails; and it commits half a run when a migration throws an {@link Error}, as it switches to auto-commit then.
 *
 * <p>Flyway gets the same connection as often as it asks. Beginning, committing and closing are without effect on it; rolling
 * back undoes all, as PostgreSQL takes no statement after a failure before that. For one thread.
 */
final class OneTransaction extends ConnectionSource implements AutoCloseable {
    /** The name of this library in letters, as a number: whoever else locks in this database should not use the same. */
    private static final long LOCK = 0x6f6e65656e67696eL;

    private final Connection connection;

    private OneTransaction(Connection connection) {
        this.connection = connection;
    }

    /**
     * Begins the transaction, which on PostgreSQL waits for others that migrate the same database: Flyway's own lock would be
     * tried once a second only.
     *
     * @param patience how long it waits there
     */
    static OneTransaction begin(Engine engine, Duration patience) throws SQLException {
        Connection connection = EngineConnections.forMigrating(engine).getConnection();
        try {
            connection.setAutoCommit(false);
            if (engine.url().kind() == Kind.POSTGRESQL) {
                lock(connection, patience);
            }
            return new OneTransaction(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static void lock(Connection connection, Duration patience) throws SQLException {
        // Zero would be no limit at all.
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, Durations.nanos(patience) / 1_000_000));
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL lock_timeout = " + millis);
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            statement.execute("SET LOCAL lock_timeout TO DEFAULT");
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    /** Undoes what is not committed. */
    @Override
    public void close() throws SQLException {
        try {
            connection.rollback();
        } finally {
            connection.close();
        }
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, new View()::invoke);
    }

    /** What Flyway believes of one of its connections. */
    private final class View {
        private boolean autoCommit = true;
        private boolean closed;

        @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "setAutoCommit" -> {
                    autoCommit = (Boolean) Objects.requireNonNull(arguments)[0];
                    return null;
                }
                case "getAutoCommit" -> {
                    return autoCommit;
                }
                case "commit" -> {
                    return null;
                }
                case "close" -> {
                    closed = true;
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                default -> {
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }
            }
        }
    }
}
