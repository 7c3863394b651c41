package dev.oneengine.cache;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An engine's data source. Says which engine it was that is closed, and which threads hold all connections of a pool while they
 * wait for another. Thread-safe.
 */
final class EngineDataSource implements DataSource {
    /** The SQL states of "connection does not exist" and "unable to establish connection". */
    private static final String NO_CONNECTION = "08003";

    private static final String UNABLE_TO_CONNECT = "08001";

    private final Engine engine;
    private final DataSource pool;

    /** What the pool takes its connections from; {@code null} for one of a caller's own. */
    private final @Nullable DriverSource driver;

    /** The connections in use; {@code null} for a pool of unknown size. */
    private final @Nullable Loans loans;

    EngineDataSource(Engine engine, DataSource pool) {
        this.engine = engine;
        this.pool = pool;
        this.driver = behind(pool, DriverSource.class);
        HikariDataSource hikari = behind(pool, HikariDataSource.class);
        this.loans = hikari == null ? null : new Loans(hikari::getMaximumPoolSize);
    }

    /** The queue in which the connections themselves wait, if they know of one. */
    @Nullable AccessQueue queue() {
        return driver == null ? null : driver.queue();
    }

    boolean isDirect() {
        return driver != null;
    }

    /** What a data source wraps, or {@code null} if there is no such thing. */
    private static <T> @Nullable T behind(DataSource dataSource, Class<T> type) {
        try {
            return type.isInstance(dataSource) || dataSource.isWrapperFor(type) ? dataSource.unwrap(type) : null;
        } catch (SQLException | RuntimeException e) {
            return null; // it does not say, so nothing is known
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return loans == null ? pool.getConnection() : borrow(loans);
        } catch (SQLException e) {
            throw engine.isClosed() ? closed(e) : e;
        }
    }

    private Connection borrow(Loans known) throws SQLException {
        Loans.Loan loan = known.begin();
        try {
            boolean waits = Waits.isHolding();
            if (waits && !Waits.begin(loan)) {
                throw new SQLTransientConnectionException(
                        "Thread " + Thread.currentThread().getName() + " would wait for ever for another connection to "
                                + engine.url() + ": all " + known.size()
                                + " connections of the pool are held by threads that wait; use the connection that"
                                + " the thread has, or raise the poolSize",
                        UNABLE_TO_CONNECT);
            }
            try {
                return known.complete(loan, clean(pool.getConnection()));
            } finally {
                if (waits) {
                    Waits.end();
                }
            }
        } catch (Throwable t) {
            known.cancel(loan);
            throw t;
        }
    }

    /**
     * A connection for a thread that has its turn. It takes one of the pool that is idle, and never waits for one: all may be held
     * by threads that wait for that turn. Instead it gets one beside the pool.
     */
    Connection connectionInTurn() throws SQLException {
        // A pool that is wrapped, such as for logging, must not be bypassed.
        if (loans == null || driver == null || !(pool instanceof HikariDataSource own)) {
            return getConnection();
        }
        HikariPool idle = (HikariPool) own.getHikariPoolMXBean();
        Loans.Loan loan = loans.begin();
        try {
            // Not a short wait either: on JDK 17 one that times out beside another spins until the other ends.
            return loans.complete(loan, clean(idle.getConnection(0)));
        } catch (SQLTransientConnectionException e) {
            loans.cancel(loan);
            return driver.getConnection();
        } catch (Throwable t) {
            loans.cancel(loan);
            throw t;
        }
    }

    /** Prepares a connection for its user. An Error in the middle of its return leaves it as its last user had it. */
    private Connection clean(Connection connection) throws SQLException {
        try {
            boolean sqlite = queue() != null;
            if (sqlite) {
                connection.unwrap(SqliteConnection.class).cleanForNextUser();
            }
            return driver == null ? connection : new EngineConnection(engine, connection, sqlite);
        } catch (Throwable t) {
            connection.close();
            throw t;
        }
    }

    private SQLException closed(SQLException cause) {
        return new SQLNonTransientConnectionException(Engine.closedMessage(engine.url()), NO_CONNECTION, cause);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "All connections of an engine are of one user; put user and password into the URL of " + engine.url());
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
        throw new SQLFeatureNotSupportedException("Neither the pool nor all drivers log by java.util.logging");
    }

    @Override
    public String toString() {
        return "DataSource of " + engine;
    }
}
