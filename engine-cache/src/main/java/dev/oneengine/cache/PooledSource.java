package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.internal.SqliteFailures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A HikariCP pool and the driver below it. In memory, the driver holds one connection that is not in the pool, the anchor: it
 * keeps the database alive while those of the pool come and go. Thread-safe.
 */
final class PooledSource implements EngineSource {
    private static final AtomicLong POOLS = new AtomicLong();

    /** HikariCP's lower limit, and its default. */
    private static final long SHORTEST_VALIDATION = 250;

    private static final long LONGEST_VALIDATION = 5_000;

    private final DriverSource driver;
    private final Housekeeper housekeeper;
    private final HikariConfig config;

    /** Set once, before other threads see this source. */
    private @Nullable HikariDataSource pool;

    private PooledSource(DatabaseUrl url, EngineSettings settings, String poolName) throws SQLException {
        this.driver = DriverSource.of(url, settings);
        this.housekeeper = new Housekeeper(poolName, url.kind() == Kind.SQLITE_MEMORY);
        this.config = config(url, settings, poolName, driver, housekeeper);
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
        PooledSource source = new PooledSource(url, settings, poolName(url, settings));
        try {
            source.start(url, settings);
            return source;
        } catch (Throwable e) {
            new Failures(e).attempt(source::close);
            throw e;
        }
    }

    private void start(DatabaseUrl url, EngineSettings settings) throws SQLException, InterruptedException {
        if (url.kind() == Kind.SQLITE_FILE && !Files.exists(Path.of(url.name()))) {
            // The file comes last, as it would stay if anything failed after that.
            config.setInitializationFailTimeout(-1);
            driver.rehearse();
            pool = new HikariDataSource(config);
            makeFirstContact(url, settings, driver);
        } else {
            makeFirstContact(url, settings, driver);
            pool = new HikariDataSource(config);
        }
    }

    /**
     * Opens the anchor in memory, and the first connection of the pool on a server. Switches a file to WAL and reads its header, on
     * one connection: several at once would be in each other's way.
     */
    private static void makeFirstContact(DatabaseUrl url, EngineSettings settings, DriverSource driver)
            throws SQLException, InterruptedException {
        if (url.kind() == Kind.SQLITE_MEMORY) {
            driver.getConnection();
        } else if (url.kind() == Kind.POSTGRESQL) {
            driver.connectEarly();
        } else {
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
                if (SqliteFailures.code(e) != SqliteFailures.BUSY
                        || waited >= settings.busyTimeout().toMillis()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    private static HikariConfig config(
            DatabaseUrl url, EngineSettings settings, String poolName, DriverSource driver, Housekeeper housekeeper) {
        boolean inMemory = url.kind() == Kind.SQLITE_MEMORY;
        HikariConfig config = new HikariConfig();
        config.setPoolName(poolName);
        config.setThreadFactory(new BackgroundThreads(poolName + " worker"));
        config.setScheduledExecutor(housekeeper);
        config.setDataSource(driver);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(settings.minimumIdle());
        config.setConnectionTimeout(settings.connectionTimeout().toMillis());
        config.setValidationTimeout(
                validationMillis(settings.connectionTimeout().toMillis()));
        // In memory there is no network that could break a connection, and no server that would want it back.
        config.setIdleTimeout(millis(settings.idleTimeout(), inMemory));
        config.setMaxLifetime(millis(settings.maxLifetime(), inMemory));
        config.setKeepaliveTime(millis(settings.keepalive(), inMemory));
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
            config.setExceptionOverride(new BrokenPostgresConnection(url, driver::isClosed));
        }
        if (settings.metrics() != null) {
            config.setMetricsTrackerFactory(SafeMetrics.of(settings.metrics()));
        }
        return config;
    }

    /**
     * How long the pool waits for an idle connection to prove that it works. It does so for one after the other until the connection
     * timeout is over, and does not look at the time in between. So the timeout is a multiple of this, and if possible one dead
     * connection leaves time for another one.
     */
    private static long validationMillis(long connectionTimeout) {
        long times = connectionTimeout < 2 * SHORTEST_VALIDATION
                ? 1
                : Math.max(2, (connectionTimeout + LONGEST_VALIDATION - 1) / LONGEST_VALIDATION);
        return connectionTimeout / times;
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
        return Objects.requireNonNull(pool);
    }

    /** Closes everything, whatever fails and whether or not the thread was interrupted: a pool stops halfway then. */
    @Override
    public void close() throws SQLException {
        Failures failures = new Failures();
        boolean interrupted = Thread.interrupted();
        driver.stop();
        if (driver.queue() != null) {
            failures.attempt(
                    driver::close); // the pool waits for its connection in progress before it aborts the others
        }
        HikariDataSource open = pool;
        if (open != null) {
            HikariPool started = (HikariPool) open.getHikariPoolMXBean();
            Failures ofPool = new Failures();
            ofPool.attempt(open::close);
            if (ofPool.first() != null) {
                ofPool.attempt(started::shutdown); // the pool counts as closed, even if its closing has hardly begun
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

    /** A pool that fails in its constructor stays in JMX. The end of another one of the same name removes it. */
    private void removeFromJmx() throws InterruptedException {
        config.setMetricsTrackerFactory(null);
        config.setInitializationFailTimeout(-1);
        config.setMinimumIdle(0);
        new HikariPool(config).shutdown();
    }
}
