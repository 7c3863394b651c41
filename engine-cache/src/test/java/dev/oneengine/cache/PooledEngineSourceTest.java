package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.pool.HikariPool;
import dev.oneengine.testing.Sql;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pool gets the settings, and closing it closes everything. */
@Timeout(60)
class PooledEngineSourceTest {
    @TempDir
    Path directory;

    private @Nullable EngineSource source;

    @AfterEach
    void close() throws SQLException {
        if (source != null) {
            source.close();
        }
        Pools.awaitNoThreads();
    }

    private HikariDataSource open(String url, EngineSettings.Builder settings) throws Exception {
        source = PooledEngineSource.open(DatabaseUrl.parse(url), settings.build());
        return (HikariDataSource) source.dataSource();
    }

    private String file() {
        return "jdbc:sqlite:" + directory.resolve("a.db");
    }

    @Test
    void each_setting_is_applied_to_the_pool() throws Exception {
        MetricsTrackerFactory metrics = (name, stats) -> new IMetricsTracker() {};
        HikariDataSource pool = open(
                file(),
                EngineSettings.builder()
                        .poolSize(7)
                        .minimumIdle(1)
                        .connectionTimeout(Duration.ofSeconds(3))
                        .idleTimeout(Duration.ofSeconds(11))
                        .maxLifetime(Duration.ofSeconds(500))
                        .keepalive(Duration.ofSeconds(31))
                        .jmx(true)
                        .metrics(metrics));

        assertThat(pool.getMaximumPoolSize()).isEqualTo(7);
        assertThat(pool.getMinimumIdle()).isEqualTo(1);
        assertThat(pool.getConnectionTimeout()).isEqualTo(3_000);
        assertThat(pool.getIdleTimeout()).isEqualTo(11_000);
        assertThat(pool.getMaxLifetime()).isEqualTo(500_000);
        assertThat(pool.getKeepaliveTime()).isEqualTo(31_000);
        assertThat(pool.isRegisterMbeans()).isTrue();
        assertThat(pool.getMetricsTrackerFactory()).isNotNull();
        assertThat(pool.getThreadFactory()).isInstanceOf(PoolThreadFactory.class);
        assertThat(pool.getScheduledExecutor()).isInstanceOf(PoolHousekeeper.class);
    }

    @Test
    void by_default_the_pool_has_neither_jmx_nor_metrics() throws Exception {
        HikariDataSource pool = open(file(), EngineSettings.builder());

        assertThat(pool.isRegisterMbeans()).isFalse();
        assertThat(pool.getMetricsTrackerFactory()).isNull();
    }

    /** A pool in memory keeps its connections: no network can break them, and no server needs them back. */
    @Test
    void pooled_in_memory_connections_never_expire() throws Exception {
        HikariDataSource pool = open(
                "sqlite:///:memory:",
                EngineSettings.builder()
                        .idleTimeout(Duration.ofSeconds(11))
                        .maxLifetime(Duration.ofSeconds(500))
                        .keepalive(Duration.ofSeconds(31)));

        assertThat(pool.getIdleTimeout()).isZero();
        assertThat(pool.getMaxLifetime()).isZero();
        assertThat(pool.getKeepaliveTime()).isZero();
    }

    /** Without idle connections, the pool would close its first connection again, so opening it at the start has no use. */
    @ParameterizedTest
    @CsvSource({"0, -1", "1, 1"})
    void the_pool_opens_a_connection_at_its_start_only_if_it_keeps_idle_connections(int minimumIdle, long expected)
            throws Exception {
        HikariDataSource pool =
                open("sqlite:///:memory:", EngineSettings.builder().minimumIdle(minimumIdle));

        assertThat(pool.getInitializationFailTimeout()).isEqualTo(expected);
    }

    @Test
    void an_existing_file_is_opened_with_its_first_idle_connection() throws Exception {
        PooledEngineSource.open(DatabaseUrl.parse(file()), EngineSettings.defaults())
                .close();

        assertThat(open(file(), EngineSettings.builder().minimumIdle(1)).getInitializationFailTimeout())
                .isEqualTo(1);
    }

    @Test
    void a_missing_file_is_created_after_the_pool() throws Exception {
        assertThat(open(file(), EngineSettings.builder().minimumIdle(1)).getInitializationFailTimeout())
                .isNegative();
        assertThat(directory.resolve("a.db")).exists();
    }

    @Test
    void a_wrong_parameter_creates_no_file() {
        assertThatThrownBy(() -> open(file() + "?encoding=banana", EngineSettings.builder()))
                .isNotNull();
        assertThat(directory).isEmptyDirectory();
    }

    /** The connection timeout is a multiple of the validation timeout, so it also limits the validation of several connections. */
    @ParameterizedTest
    @CsvSource({
        "250, 250",
        "499, 499",
        "500, 250",
        "1000, 500",
        "10000, 5000",
        "10001, 3333",
        "15000, 5000",
        "30000, 5000"
    })
    void the_validation_timeout_is_derived_from_the_connection_timeout(int connectionTimeout, int expected)
            throws Exception {
        HikariDataSource pool = open(
                "sqlite:///:memory:", EngineSettings.builder().connectionTimeout(Duration.ofMillis(connectionTimeout)));

        assertThat(pool.getValidationTimeout()).isEqualTo(expected);
    }

    @Test
    void a_pool_name_contains_the_database_and_is_unique() throws Exception {
        HikariDataSource pool = open(file(), EngineSettings.builder());
        assertThat(pool.getPoolName()).startsWith("one-engine-").endsWith(" " + file());

        EngineSource other = PooledEngineSource.open(
                DatabaseUrl.parse(file()), EngineSettings.builder().build());
        assertThat(((HikariDataSource) other.dataSource()).getPoolName())
                .startsWith("one-engine-")
                .endsWith(" " + file())
                .isNotEqualTo(pool.getPoolName());
        other.close();
    }

    @Test
    void a_pool_name_for_jmx_has_no_special_character() throws Exception {
        HikariDataSource pool =
                open("sqlite:///:memory:", EngineSettings.builder().jmx(true));

        assertThat(pool.getPoolName()).startsWith("one-engine-").endsWith(" jdbc_sqlite__memory_");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closing_closes_the_pool_and_the_connections_in_use(boolean memory) throws Exception {
        HikariDataSource pool = open(memory ? "sqlite:///:memory:" : file(), EngineSettings.builder());
        Connection inUse = pool.getConnection();
        SqliteConnection below = inUse.unwrap(SqliteConnection.class);

        source.close();

        assertThat(pool.isClosed()).isTrue();
        assertThat(below.isClosed()).isTrue();
        assertThat(pool.getScheduledExecutor().isShutdown()).isTrue();
        assertThatThrownBy(((DriverDataSource) pool.getDataSource())::getConnection)
                .isInstanceOf(SQLException.class);
    }

    @Test
    void an_interrupted_thread_closes_everything_and_stays_interrupted() throws Exception {
        HikariDataSource pool = open("sqlite:///:memory:", EngineSettings.builder());
        Thread.currentThread().interrupt();

        source.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(pool.isClosed()).isTrue();
    }

    /** Deletes a request from HikariCP's queue, as if it had been lost in a race, while another request is in progress. */
    @Test
    void a_thread_whose_request_was_lost_gets_a_connection() throws Exception {
        // A new connection with this pragma reads the database, so it waits for a writer.
        HikariDataSource pool =
                open("sqlite:///:memory:?journal_mode=MEMORY&busy_timeout=60000", EngineSettings.builder());
        ThreadPoolExecutor requests = requests(pool);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Connection writer = pool.getConnection()) {
            writer.setAutoCommit(false);
            Sql.execute(writer, "CREATE TABLE t(x)");
            CountDownLatch both = new CountDownLatch(2);
            Callable<Boolean> holding = () -> {
                try (Connection connection = pool.getConnection()) {
                    both.countDown();
                    return both.await(30, TimeUnit.SECONDS) && !connection.isClosed();
                }
            };
            Future<Boolean> first = threads.submit(holding);
            await().until(() -> requests.getActiveCount() == 1);
            Future<Boolean> second = threads.submit(holding);
            await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 2
                    && !requests.getQueue().isEmpty());

            requests.getQueue().clear();
            writer.commit();

            assertThat(first.get(40, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(40, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    private static ThreadPoolExecutor requests(HikariDataSource pool) throws ReflectiveOperationException {
        Field executor = HikariPool.class.getDeclaredField("addConnectionExecutor");
        executor.setAccessible(true);
        return (ThreadPoolExecutor) executor.get(pool.getHikariPoolMXBean());
    }
}
