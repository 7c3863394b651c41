package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A HikariCP pool and the driver below it. In memory, the driver holds one connection that is not in the pool, the anchor: it
 * keeps the database alive while those of the pool come and go. Thread-safe.
 */
final class PooledSource implements EngineSource {
    private static final AtomicLong POOLS = new AtomicLong();

    /** The primary result code of SQLite for a lock that another connection holds. */
    private static final int BUSY = 5;

    /**
     * One thread for all pools in memory, of which there may be thousands, and where nothing can block it. It ends when there
     * are none.
     */
    private static final ScheduledExecutorService HOUSEKEEPER = housekeeper();

    private final DriverSource driver;
    private final HikariDataSource pool;

    private PooledSource(DriverSource driver, HikariDataSource pool) {
        this.driver = driver;
        this.pool = pool;
    }

    private static ScheduledExecutorService housekeeper() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "one-engine housekeeper");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(5, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    static EngineSource open(DatabaseUrl url, EngineSettings settings) throws SQLException, InterruptedException {
        if (url.kind() == Kind.OTHER) {
            throw new IllegalArgumentException(
                    "EngineFactory.pooled() opens SQLite and PostgreSQL only; create the cache"
                            + " with an EngineFactory for this database");
        }
        if (url.kind() == Kind.SQLITE_FILE) {
            SqliteFile.check(url);
        }
        DriverSource driver = DriverSource.of(url, settings);
        try {
            makeFirstContact(url, settings, driver);
            return new PooledSource(driver, new HikariDataSource(config(url, settings, driver)));
        } catch (SQLException | InterruptedException | RuntimeException e) {
            closeAfter(e, driver);
            throw e;
        }
    }

    /**
     * In memory, opens the anchor. Switches a file to WAL and reads its header, on one connection: several at once would be in
     * each other's way.
     */
    private static void makeFirstContact(DatabaseUrl url, EngineSettings settings, DriverSource driver)
            throws SQLException, InterruptedException {
        if (url.kind() == Kind.SQLITE_MEMORY) {
            driver.getConnection();
        } else if (url.kind() == Kind.SQLITE_FILE) {
            try (Connection connection = firstConnection(settings, driver);
                    Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA schema_version");
            }
        }
    }

    /**
     * Tries again for as long as SQLite should wait: where two processes switch a new file to WAL at the same time, one of them
     * fails at once, whatever its timeout.
     */
    private static Connection firstConnection(EngineSettings settings, DriverSource driver)
            throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return driver.getConnection();
            } catch (SQLException e) {
                long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                if ((e.getErrorCode() & 0xff) != BUSY
                        || waited >= settings.busyTimeout().toMillis()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    private static void closeAfter(Throwable failure, DriverSource driver) {
        try {
            driver.close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private static HikariConfig config(DatabaseUrl url, EngineSettings settings, DataSource driver) {
        boolean inMemory = url.kind() == Kind.SQLITE_MEMORY;
        HikariConfig config = new HikariConfig();
        config.setPoolName(poolName(url, settings));
        config.setDataSource(driver);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(settings.minimumIdle());
        config.setConnectionTimeout(settings.connectionTimeout().toMillis());
        // In memory there is no network that could break a connection, and no server that would want it back.
        config.setIdleTimeout(millis(settings.idleTimeout(), inMemory));
        config.setMaxLifetime(millis(settings.maxLifetime(), inMemory));
        config.setKeepaliveTime(millis(settings.keepalive(), inMemory));
        if (inMemory) {
            config.setScheduledExecutor(HOUSEKEEPER);
        }
        if (settings.minimumIdle() == 0 && url.kind() != Kind.POSTGRESQL) {
            // The first contact has been made: another connection, to be closed again, would show nothing more.
            config.setInitializationFailTimeout(-1);
        }
        config.setRegisterMbeans(settings.jmx());
        if (url.kind() == Kind.POSTGRESQL) {
            if (settings.isolation() != null) {
                config.setTransactionIsolation(
                        "TRANSACTION_" + settings.isolation().name());
            }
            config.setExceptionOverride(new BrokenPostgresConnection());
        }
        if (settings.metrics() != null) {
            config.setMetricsTrackerFactory(settings.metrics());
        }
        return config;
    }

    private static long millis(Duration duration, boolean inMemory) {
        return inMemory ? 0 : duration.toMillis();
    }

    /** Unique in the process, as JMX wants it; JMX also takes no characters that mean something in its own names. */
    private static String poolName(DatabaseUrl url, EngineSettings settings) {
        String shown = settings.jmx() ? url.toString().replaceAll("[:=,\"*?]", "_") : url.toString();
        return "one-engine-" + POOLS.incrementAndGet() + " " + shown;
    }

    @Override
    public DataSource dataSource() {
        return pool;
    }

    @Override
    public void close() throws SQLException {
        driver.stop();
        try {
            if (driver.queue() != null) {
                driver.close(); // the pool waits for its connection in progress before it aborts the others
            }
            pool.close();
        } finally {
            driver.close();
        }
    }
}
