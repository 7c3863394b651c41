package dev.oneengine.cache;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pooled connection that HikariCP can safely take back. As thread-safe as the driver's connections. */
final class EngineConnection extends ForwardingConnection {
    private static final Logger LOG = LoggerFactory.getLogger(EngineConnection.class);

    private final DatabaseUrl url;

    /** Whether the driver's connection rolls back by itself when HikariCP resets it. */
    private final boolean ownsTransaction;

    private final BooleanSupplier isEngineClosed;
    private final Consumer<Connection> evict;
    private volatile boolean aborted;

    /**
     * Wraps a connection of a pool.
     *
     * @param evict removes a connection in use from the pool
     */
    EngineConnection(
            Connection pooled,
            DatabaseUrl url,
            boolean ownsTransaction,
            BooleanSupplier isEngineClosed,
            Consumer<Connection> evict) {
        super(pooled);
        this.url = url;
        this.ownsTransaction = ownsTransaction;
        this.isEngineClosed = isEngineClosed;
        this.evict = evict;
    }

    /**
     * Returns the connection to the pool, which rolls back any open transaction.
     *
     * @throws SQLException if that fails, except on a closed engine: its connections are closed, and HikariCP would throw a
     *     {@link NullPointerException}, as it does for an aborted connection
     */
    @Override
    public void close() throws SQLException {
        FailureCollector failures = new FailureCollector();
        failures.attempt(this::requestRollback);
        failures.attempt(pooled::close);
        boolean hasLeftPool = aborted && failures.first() instanceof NullPointerException;
        if (!(hasLeftPool || isEngineClosed.getAsBoolean()) || failures.first() instanceof Error) {
            failures.<SQLException>rethrow();
        }
    }

    /** Ends the connection. HikariCP alone would count an aborted connection as open and in use until its user closes it. */
    @Override
    public void abort(Executor executor) throws SQLException {
        pooled.abort(executor);
        if (!pooled.isClosed()) {
            aborted = true;
            evict.accept(pooled);
        }
    }

    @Override
    public boolean isClosed() throws SQLException {
        return aborted || pooled.isClosed();
    }

    /**
     * Makes HikariCP roll back. HikariCP rolls back only after a statement was executed, so it misses savepoints and the driver's own
     * interfaces, such as COPY. Then it would commit the transaction, or fail to leave its read-only mode. An empty batch counts as an
     * execution, and sends nothing to the server. Neither does a rollback without a transaction. A rollback here would be too early:
     * the pool first ends running statements.
     */
    private void requestRollback() {
        boolean begunBySql = false;
        try {
            if (ownsTransaction || pooled.isClosed()) {
                return;
            }
            begunBySql = pooled.getAutoCommit() && isInTransaction();
            if (begunBySql) {
                pooled.setAutoCommit(false); // HikariCP rolls back in no other mode
            }
            if (!pooled.getAutoCommit()) {
                try (Statement nothing = pooled.createStatement()) {
                    nothing.executeBatch();
                }
            }
        } catch (SQLException e) {
            // The connection is lost. The pool decides whether its user gets an exception.
        }
        if (begunBySql) {
            LOG.warn(
                    "A connection to {} was returned with an open transaction, which is rolled back; end each transaction that SQL begins",
                    url);
        }
    }

    /**
     * Whether SQL such as {@code BEGIN} has begun a transaction in auto-commit mode. The next user's statements would run in it and never
     * be committed. PostgreSQL's driver knows without asking the server: it rejects a read-only mode within a transaction, even the
     * current one.
     */
    private boolean isInTransaction() throws SQLException {
        Connection driver = pooled.unwrap(Connection.class);
        try {
            driver.setReadOnly(driver.isReadOnly());
            return false;
        } catch (SQLException e) {
            return HeldTurns.ACTIVE_TRANSACTION.equals(e.getSQLState());
        }
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(pooled) ? type.cast(pooled) : pooled.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(pooled) || pooled.isWrapperFor(type);
    }

    /** Equal to the pool's connection, which statements return as their connection. Spring compares the two. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || other == pooled;
    }

    @Override
    public int hashCode() {
        return pooled.hashCode();
    }

    @Override
    public String toString() {
        return pooled.toString();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        DatabaseMetaData data = pooled.getMetaData();
        return (DatabaseMetaData) Proxy.newProxyInstance(
                EngineConnection.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (self, method, arguments) ->
                        method.getName().equals("getConnection") ? this : call(data, method, arguments));
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }
}
