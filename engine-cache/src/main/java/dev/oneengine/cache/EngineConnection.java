package dev.oneengine.cache;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A pooled connection that HikariCP can safely take back. As thread-safe as the driver's connections. */
final class EngineConnection extends ForwardingConnection {
    /** Whether the driver's connection rolls back by itself when HikariCP resets it. */
    private final boolean ownsTransaction;

    private final BooleanSupplier isEngineClosed;

    EngineConnection(Connection pooled, boolean ownsTransaction, BooleanSupplier isEngineClosed) {
        super(pooled);
        this.ownsTransaction = ownsTransaction;
        this.isEngineClosed = isEngineClosed;
    }

    /**
     * Returns the connection to the pool, which rolls back any open transaction.
     *
     * @throws SQLException if that fails, except on a closed engine: its connections are closed, and HikariCP would throw a
     *     {@link NullPointerException}
     */
    @Override
    public void close() throws SQLException {
        FailureCollector failures = new FailureCollector();
        failures.attempt(this::requestRollback);
        failures.attempt(pooled::close);
        if (!isEngineClosed.getAsBoolean() || failures.first() instanceof Error) {
            failures.<SQLException>rethrow();
        }
    }

    /**
     * Makes HikariCP roll back. HikariCP rolls back only after a statement was executed, so it misses savepoints and the driver's own
     * interfaces, such as COPY. Then it would commit the transaction, or fail to leave its read-only mode. An empty batch counts as an
     * execution, and sends nothing to the server. Neither does a rollback without a transaction. A rollback here would be too early:
     * the pool first ends running statements.
     */
    private void requestRollback() {
        try {
            if (!ownsTransaction && !pooled.isClosed() && !pooled.getAutoCommit()) {
                try (Statement nothing = pooled.createStatement()) {
                    nothing.executeBatch();
                }
            }
        } catch (SQLException e) {
            // The connection is lost. The pool decides whether its user gets an exception.
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
