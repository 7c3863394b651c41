package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A HikariCP pool on the driver of a {@link PooledDatabase}. Thread-safe. */
final class PooledEngineSource implements EngineSource {
    private static final AtomicLong POOLS = new AtomicLong();

    /** HikariCP's lower limit. */
    private static final long SHORTEST_VALIDATION = 250;

    /** HikariCP's default. */
    private static final long LONGEST_VALIDATION = 5_000;

    private final PooledDatabase database;
    private final PoolHousekeeper housekeeper;
    private final HikariConfig config;

    /** Set once, before other threads see this object. */
    private @Nullable HikariDataSource pool;

    private PooledEngineSource(PooledDatabase database, EngineSettings settings, String poolName) {
        this.database = database;
        this.housekeeper = new PoolHousekeeper(poolName, database.sharesHousekeeper());
        this.config = config(database, settings, poolName, housekeeper);
    }

    static EngineSource open(DatabaseUrl url, EngineSettings settings) throws SQLException, InterruptedException {
        PooledDatabase database = database(url, settings);
        PooledEngineSource source = new PooledEngineSource(database, settings, poolName(url, settings));
        try {
            database.start(source.config, source::openPool);
            return source;
        } catch (Throwable e) {
            new FailureCollector(e).attempt(source::close);
            throw e;
        }
    }

    /**
     * Selects the class for a kind of database, and prepares the database without a connection.
     *
     * @throws IllegalArgumentException if the database is unsupported, or a parameter of its URL is unknown
     * @throws IllegalStateException if the driver is missing
     */
    private static PooledDatabase database(DatabaseUrl url, EngineSettings settings) throws SQLException {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new MemoryDatabase(url, settings);
            case SQLITE_FILE -> new FileDatabase(url, settings);
            case POSTGRESQL -> new PostgresDatabase(url, settings);
            case OTHER ->
                throw new IllegalArgumentException(
                        "EngineFactory.pooled() opens only SQLite and PostgreSQL; create the cache with an EngineFactory for"
                                + " this database");
        };
    }

    private void openPool() {
        HikariDataSource opened = new HikariDataSource(config);
        pool = opened;
        repeatLostRequests(opened, database.driver());
    }

    /**
     * Makes a pool look for waiting threads after each new connection. HikariCP compares the number of waiting threads with the number of
     * requested connections, and both change during that. So one of several threads that arrive together may request no connection. It
     * would wait until another thread returns one, or for the whole timeout.
     */
    static void repeatLostRequests(HikariDataSource dataSource, DriverDataSource driver) {
        HikariPool pool = (HikariPool) dataSource.getHikariPoolMXBean();
        driver.afterOpening(() -> pool.addBagItem(pool.getThreadsAwaitingConnection()));
    }

    private static HikariConfig config(
            PooledDatabase database, EngineSettings settings, String poolName, PoolHousekeeper housekeeper) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(poolName);
        config.setThreadFactory(new PoolThreadFactory(poolName + " worker"));
        config.setScheduledExecutor(housekeeper);
        config.setDataSource(database.driver());
        config.setMaximumPoolSize(settings.poolSize);
        config.setMinimumIdle(settings.minimumIdle);
        config.setConnectionTimeout(settings.connectionTimeout.toMillis());
        config.setValidationTimeout(validationMillis(settings.connectionTimeout.toMillis()));
        config.setIdleTimeout(settings.idleTimeout.toMillis());
        config.setMaxLifetime(settings.maxLifetime.toMillis());
        config.setKeepaliveTime(settings.keepalive.toMillis());
        config.setRegisterMbeans(settings.jmx);
        if (settings.metrics != null) {
            config.setMetricsTrackerFactory(SafeMetrics.of(settings.metrics));
        }
        database.configure(config);
        return config;
    }

    /**
     * Returns how long the pool may test one idle connection. The pool tests one connection after another until the
     * connection timeout, and checks the time only between two tests. So the timeout is a multiple of this value, and one dead
     * connection leaves time for another if possible.
     */
    private static long validationMillis(long connectionTimeout) {
        long times = connectionTimeout < 2 * SHORTEST_VALIDATION
                ? 1
                : Math.max(2, (connectionTimeout + LONGEST_VALIDATION - 1) / LONGEST_VALIDATION);
        return connectionTimeout / times;
    }

    /** Returns a name that is unique in the process, as JMX requires, without the special characters of JMX. */
    private static String poolName(DatabaseUrl url, EngineSettings settings) {
        String shown = settings.jmx ? url.toString().replaceAll("[:=,\"*?]", "_") : url.toString();
        return "one-engine-" + POOLS.incrementAndGet() + " " + shown;
    }

    @Override
    public DataSource dataSource() {
        return Objects.requireNonNull(pool);
    }

    /** Closes everything, whatever fails. Clears the interrupt flag meanwhile, because an interrupted pool stops halfway. */
    @Override
    public void close() throws SQLException {
        FailureCollector failures = new FailureCollector();
        boolean interrupted = Thread.interrupted();
        DriverDataSource driver = database.driver();
        driver.stop();
        failures.attempt(database::close);
        HikariDataSource open = pool;
        HikariPool started = open == null ? null : (HikariPool) open.getHikariPoolMXBean();
        if (database.closesConnectionsFirst()) {
            if (started != null) {
                failures.attempt(() -> takeIdleConnections(started));
            }
            failures.attempt(driver::close);
        }
        if (open != null && started != null) {
            FailureCollector ofPool = new FailureCollector();
            ofPool.attempt(open::close);
            if (ofPool.first() != null) {
                ofPool.attempt(started::shutdown); // close() does nothing more, even if the first call failed early
            }
            failures.attempt(ofPool::rethrow);
        } else if (config.isRegisterMbeans()) {
            failures.attempt(this::removeFromJmx);
        }
        housekeeper.end();
        failures.attempt(driver::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        failures.<SQLException>rethrow();
    }

    /**
     * Takes all idle connections of a pool. A closing pool aborts connections in use, which are then closed already, but starts a thread
     * to close idle ones. That takes longer than all other steps together.
     */
    private static void takeIdleConnections(HikariPool pool) {
        try {
            while (pool.getIdleConnections() > 0) {
                pool.getConnection(0);
            }
        } catch (SQLException e) {
            // Another thread has taken the last one.
        }
    }

    /** Removes a pool from JMX whose constructor failed: closing another pool of the same name does that. */
    private void removeFromJmx() throws InterruptedException {
        config.setMetricsTrackerFactory(null);
        config.setInitializationFailTimeout(-1);
        config.setMinimumIdle(0);
        new HikariPool(config).shutdown();
    }
}
