package dev.oneengine.cache;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data source of an engine. Names the engine that is closed, and detects threads that hold all connections of the pool while they
 * wait for another one. Thread-safe.
 */
final class EngineDataSource implements DataSource {
    /** The SQL states of "connection does not exist" and "unable to establish connection". */
    private static final String NO_CONNECTION = "08003";

    private static final String UNABLE_TO_CONNECT = "08001";

    private final DatabaseUrl url;
    private final DataSource pool;
    private final BooleanSupplier isEngineClosed;

    /** The connections below the pool; {@code null} for the pool of a caller's own factory. */
    final @Nullable DriverDataSource driver;

    /** {@code null} for another pool. */
    private final @Nullable HikariDataSource hikari;

    /** The connections in use; {@code null} for a pool of unknown size. */
    private final @Nullable BorrowedConnections borrowed;

    EngineDataSource(DatabaseUrl url, DataSource pool, BooleanSupplier isEngineClosed) {
        this.url = url;
        this.pool = pool;
        this.isEngineClosed = isEngineClosed;
        this.driver = behind(pool, DriverDataSource.class);
        this.hikari = behind(pool, HikariDataSource.class);
        this.borrowed = hikari == null ? null : new BorrowedConnections(hikari::getMaximumPoolSize);
    }

    /** Returns an object behind a data source, or {@code null}. */
    private static <T> @Nullable T behind(DataSource dataSource, Class<T> type) {
        try {
            return type.isInstance(dataSource) || dataSource.isWrapperFor(type) ? dataSource.unwrap(type) : null;
        } catch (SQLException | RuntimeException e) {
            return null; // unknown
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return borrowed == null ? pool.getConnection() : borrow(borrowed);
        } catch (SQLException e) {
            throw isEngineClosed.getAsBoolean()
                    ? new SQLNonTransientConnectionException(EngineClosedException.ofEngine(url), NO_CONNECTION, e)
                    : e;
        }
    }

    private Connection borrow(BorrowedConnections known) throws SQLException {
        BorrowedConnections.Loan loan = known.register();
        try {
            boolean waits = ConnectionDeadlocks.isHolding();
            if (waits && !ConnectionDeadlocks.register(loan)) {
                throw new SQLTransientConnectionException(
                        "Thread " + Thread.currentThread().getName() + " would wait for ever for another connection to "
                                + url + ": waiting threads hold all " + known.size()
                                + " connections of the pool; use the connection that the thread has, or raise the"
                                + " poolSize",
                        UNABLE_TO_CONNECT);
            }
            try {
                return known.complete(loan, clean(pool.getConnection()));
            } finally {
                if (waits) {
                    ConnectionDeadlocks.unregister();
                }
            }
        } catch (Throwable t) {
            known.cancel(loan);
            throw t;
        }
    }

    /**
     * Returns a connection for a thread that has its turn. Takes an idle connection of the pool, or opens one outside the pool. Never
     * waits for the pool, because threads that wait for this turn may hold all its connections.
     */
    Connection connectionInTurn() throws SQLException {
        // A wrapped pool, such as one with logging, must not be bypassed.
        if (borrowed == null || driver == null || !(pool instanceof HikariDataSource own)) {
            return getConnection();
        }
        HikariPool idle = (HikariPool) own.getHikariPoolMXBean();
        BorrowedConnections.Loan loan = borrowed.register();
        try {
            // Not even a short wait: on JDK 17, a wait that times out during another thread's wait spins until that one
            // ends.
            return borrowed.complete(loan, clean(idle.getConnection(0)));
        } catch (SQLTransientConnectionException e) {
            borrowed.cancel(loan);
            return driver.getConnection();
        } catch (Throwable t) {
            borrowed.cancel(loan);
            throw t;
        }
    }

    /**
     * Cleans a connection for its user. If an {@code Error} interrupted its last return, it may still have the state of
     * its last user.
     */
    private Connection clean(Connection connection) throws SQLException {
        try {
            if (driver == null) {
                return connection;
            }
            boolean sqlite = driver.queue != null;
            if (sqlite) {
                connection.unwrap(SqliteConnection.class).cleanForNextUser();
            }
            return new EngineConnection(connection, url, sqlite, isEngineClosed, this::evict);
        } catch (Throwable t) {
            connection.close();
            throw t;
        }
    }

    private void evict(Connection connection) {
        if (hikari != null) {
            hikari.evictConnection(connection);
        }
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "All connections of an engine have the same user; put user and password into the URL of " + url);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(pool) ? type.cast(pool) : pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(pool) || pool.isWrapperFor(type);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
        pool.setLogWriter(writer);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("The pool does not use java.util.logging");
    }

    @Override
    public String toString() {
        return "DataSource of " + url + (isEngineClosed.getAsBoolean() ? " (closed)" : "");
    }
}
