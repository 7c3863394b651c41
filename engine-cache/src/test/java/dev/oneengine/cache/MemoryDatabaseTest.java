package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

@Timeout(60)
class MemoryDatabaseTest {
    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    /** See docs/sqlite.md. */
    @Test
    void only_the_drivers_backup_writes_a_file(@TempDir Path directory) throws SQLException {
        DataSource dataSource = cache.engine("sqlite:///:memory:").dataSource();
        Path attached = directory.resolve("attached");
        Path copied = directory.resolve("copied");
        Path backup = directory.resolve("backup");
        Sql.execute(dataSource, "ATTACH '" + attached + "' AS other", "CREATE TABLE other.t(x)");

        Sql.execute(dataSource, "VACUUM INTO '" + copied + "'", "backup to '" + backup + "'");

        assertThat(attached).doesNotExist();
        assertThat(copied).doesNotExist();
        assertThat(backup).exists();
    }

    @Test
    void every_connection_sees_the_same_database() throws Exception {
        DataSource dataSource = cache.engine("sqlite:///:memory:").dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)", "INSERT INTO t VALUES (42)");
        CountDownLatch all = new CountDownLatch(8);

        List<String> seen = Race.run(8, i -> {
            try (Connection connection = dataSource.getConnection()) {
                all.countDown();
                assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
                return Sql.query(connection, "SELECT x FROM t");
            }
        });

        assertThat(seen).hasSize(8).containsOnly("42");
    }

    @Test
    void each_name_is_a_separate_database() throws SQLException {
        DataSource orders = cache.engine("jdbc:sqlite:file:orders?mode=memory").dataSource();
        Sql.execute(orders, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)");

        DataSource same = cache.engine("jdbc:sqlite:file:/orders?vfs=memdb").dataSource();
        assertThat(Sql.query(same, "SELECT x FROM t")).isEqualTo("1");
        for (String other : List.of("jdbc:sqlite:file:Orders?mode=memory", "jdbc:sqlite::memory:")) {
            assertNoTable(cache.engine(other).dataSource());
        }
    }

    @Test
    void two_caches_never_see_each_other() throws SQLException {
        Sql.execute(cache.engine("jdbc:sqlite:file:orders?mode=memory").dataSource(), "CREATE TABLE t(x)");
        try (EngineCache other = EngineCache.create()) {
            assertNoTable(other.engine("jdbc:sqlite:file:orders?mode=memory").dataSource());
        }
    }

    @Test
    void an_evicted_database_is_gone() throws SQLException {
        Sql.execute(cache.engine("sqlite://").dataSource(), "CREATE TABLE t(x)");
        cache.evict("sqlite://");
        assertNoTable(cache.engine("sqlite://").dataSource());
    }

    @Test
    void the_data_survives_when_all_pooled_connections_are_evicted() throws SQLException {
        DataSource dataSource = withData(EngineSettings.defaults());
        HikariPoolMXBean pool = dataSource.unwrap(HikariDataSource.class).getHikariPoolMXBean();

        pool.softEvictConnections();
        await().until(() -> pool.getTotalConnections() <= 1);

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("1");
    }

    @RepeatedTest(50)
    void the_data_survives_when_all_connections_close_at_the_same_time() throws Exception {
        DataSource dataSource = withData(EngineSettings.defaults());
        dataSource.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
        DriverDataSource driver = dataSource.unwrap(DriverDataSource.class);
        CountDownLatch all = new CountDownLatch(4);
        Race.run(4, i -> {
            try (Connection connection = driver.getConnection()) {
                all.countDown();
                assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
                return connection;
            }
        });

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("1");
    }

    /** This pragma reads the database, so a connection with it would wait for the writer that is about to close. */
    @Test
    void the_data_survives_a_writer_that_closes_the_only_connection() throws SQLException {
        DataSource dataSource = cache.engine("sqlite:///:memory:?journal_mode=MEMORY&busy_timeout=20")
                .dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE t SET x = 2");
            connection.unwrap(SQLiteConnection.class).close();
            assertThatThrownBy(() -> Sql.query(connection, "SELECT x FROM t")).isInstanceOf(SQLException.class);
        }

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("1");
    }

    @Test
    void a_connection_that_cannot_leave_an_anchor_keeps_the_database_alive() throws SQLException {
        SqliteConnection connection = new SqliteConnection(
                "jdbc:sqlite::memory:",
                ":memory:",
                new Properties(),
                new AccessQueue("jdbc:sqlite::memory:", true, 10),
                0,
                new Anchor("jdbc:sqlite:/missing/directory/test.db"));

        assertThatThrownBy(connection::close).isInstanceOf(SQLException.class);
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.getDatabase().isClosed()).isFalse();
        connection.getDatabase().close();
    }

    @Tag("slow")
    @Test
    void the_data_survives_an_hour_of_housekeeping() throws Exception {
        // The pool's housekeeping usually runs every 30 seconds, 120 times an hour; here it runs every 5 milliseconds.
        // The test need not advance the clock, because in-memory connections never expire.
        String period = "com.zaxxer.hikari.housekeeping.periodMs";
        System.setProperty(period, "5");
        try {
            EngineSettings impatient = EngineSettings.builder()
                    .minimumIdle(0)
                    .idleTimeout(Duration.ofSeconds(10))
                    .maxLifetime(Duration.ofSeconds(40))
                    .keepalive(Duration.ZERO)
                    .build();
            DataSource dataSource = withData(impatient);
            HikariDataSource pool = dataSource.unwrap(HikariDataSource.class);
            assertThat(pool.getMaxLifetime()).isZero();
            assertThat(pool.getIdleTimeout()).isZero();
            assertThat(pool.getKeepaliveTime()).isZero();
            long before = PoolHousekeeper.SHARED.getCompletedTaskCount();
            await().until(() -> PoolHousekeeper.SHARED.getCompletedTaskCount() >= before + 120);
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
            assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("1");
        } finally {
            System.clearProperty(period);
        }
    }

    /**
     * There may be thousands of databases in memory, and a thread for each would cost more than the database itself.
     */
    @Tag("slow")
    @Test
    void pools_share_one_housekeeper_that_ends_with_the_last_pool() {
        for (int i = 0; i < 20; i++) {
            cache.engine("jdbc:sqlite:file:db" + i + "?mode=memory");
        }
        assertThat(housekeepers()).hasSize(1).allMatch(Thread::isDaemon);

        cache.close();

        await().until(() -> housekeepers().isEmpty());
    }

    /** HikariCP's close starts a thread for idle connections, unless they are closed before. */
    @Test
    void opening_and_closing_a_database_starts_no_thread() throws SQLException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        cache.engine("jdbc:sqlite:file:first?mode=memory"); // starts the housekeeper
        long before = threads.getTotalStartedThreadCount();

        for (int i = 0; i < 50; i++) {
            try (Engine engine = cache.engine("sqlite:///:memory:")) {
                assertThat(Sql.query(engine.dataSource(), "SELECT 42")).isEqualTo("42");
            }
        }

        assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(25); // threads that the JVM itself starts
    }

    @Test
    void aborting_a_closed_connection_has_no_effect() throws SQLException {
        Connection connection = cache.engine("sqlite:///:memory:")
                .dataSource()
                .unwrap(DriverDataSource.class)
                .getConnection();
        connection.close();
        List<Runnable> tasks = new ArrayList<>();

        connection.abort(tasks::add);

        assertThat(tasks).isEmpty();
    }

    private static List<Thread> housekeepers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("housekeeper"))
                .toList();
    }

    @Test
    void a_pool_without_idle_connections_opens_the_first_one_on_demand() throws SQLException {
        Engine engine = cache.engine(
                "sqlite:///:memory:", EngineSettings.builder().minimumIdle(0).build());
        HikariPoolMXBean pool =
                engine.dataSource().unwrap(HikariDataSource.class).getHikariPoolMXBean();

        assertThat(pool.getTotalConnections()).isZero();
        assertThat(Sql.query(engine.dataSource(), "SELECT 42")).isEqualTo("42");
        assertThat(pool.getTotalConnections()).isEqualTo(1);
    }

    @Test
    void the_data_survives_a_pooled_connection_that_breaks() throws SQLException {
        DataSource dataSource =
                withData(EngineSettings.builder().poolSize(1).minimumIdle(1).build());
        try (Connection connection = dataSource.getConnection()) {
            connection.unwrap(SQLiteConnection.class).close();
            assertThatThrownBy(() -> Sql.query(connection, "SELECT x FROM t")).isInstanceOf(SQLException.class);
        }

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("1");
    }

    @Test
    void foreign_keys_hold_on_every_connection() throws SQLException {
        DataSource dataSource = cache.engine("sqlite://").dataSource();
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                connections.add(dataSource.getConnection());
                assertThat(Sql.query(connections.get(i), "PRAGMA foreign_keys")).isEqualTo("1");
                assertThat(Sql.query(connections.get(i), "PRAGMA busy_timeout")).isEqualTo("5000");
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void settings_and_url_parameters_are_applied_to_the_connections() throws SQLException {
        EngineSettings settings = EngineSettings.builder()
                .foreignKeys(false)
                .busyTimeout(Duration.ofMillis(77))
                .build();
        DataSource dataSource = cache.engine(
                        "jdbc:sqlite:file:a?mode=memory&busy_timeout=88&temp_store=MEMORY", settings)
                .dataSource();

        assertThat(Sql.query(dataSource, "PRAGMA foreign_keys")).isEqualTo("0");
        assertThat(Sql.query(dataSource, "PRAGMA busy_timeout")).isEqualTo("88");
        assertThat(Sql.query(dataSource, "PRAGMA temp_store")).isEqualTo("2");
    }

    @Test
    void concurrent_writers_wait_for_each_other_and_none_fails() throws SQLException {
        EngineSettings patient =
                EngineSettings.builder().busyTimeout(Duration.ofSeconds(30)).build();
        DataSource dataSource = cache.engine("sqlite://", patient).dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)", "INSERT INTO t VALUES (0)");

        Race.run(8, i -> {
            for (int n = 0; n < 100; n++) {
                Sql.execute(dataSource, "UPDATE t SET x = x + 1");
            }
            return i;
        });

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("800");
    }

    @Test
    void transactions_that_read_before_they_write_wait_for_each_other() throws SQLException {
        EngineSettings patient =
                EngineSettings.builder().busyTimeout(Duration.ofSeconds(30)).build();
        DataSource dataSource = cache.engine("sqlite://", patient).dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)", "INSERT INTO t VALUES (0)");

        Race.run(8, i -> {
            for (int n = 0; n < 50; n++) {
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    int x = Integer.parseInt(Sql.query(connection, "SELECT x FROM t"));
                    Sql.execute(connection, "UPDATE t SET x = " + (x + 1));
                    connection.commit();
                }
            }
            return i;
        });

        assertThat(Sql.query(dataSource, "SELECT x FROM t")).isEqualTo("400");
    }

    @Test
    void the_data_source_of_a_closed_engine_names_the_engine() throws SQLException {
        Engine engine = cache.engine("jdbc:sqlite:file:orders?mode=memory");
        DataSource dataSource = engine.dataSource();
        engine.close();

        assertThatThrownBy(dataSource::getConnection)
                .isInstanceOf(SQLNonTransientConnectionException.class)
                .hasMessageContainingAll("jdbc:sqlite:file:orders?mode=memory", "was closed");
        assertThat(dataSource).hasToString("DataSource of jdbc:sqlite:file:orders?mode=memory (closed)");
    }

    @Test
    void a_connection_opened_during_the_close_of_the_pool_is_closed() throws SQLException {
        List<Connection> made = new ArrayList<>();
        DriverDataSource[] self = new DriverDataSource[1];
        self[0] = new DriverDataSource(
                (url, properties) -> {
                    self[0].stop();
                    made.add(new JDBC().connect(url, properties));
                    return made.get(0);
                },
                "jdbc:sqlite::memory:",
                new Properties(),
                null);

        assertThatThrownBy(self[0]::getConnection).hasMessageContaining("was closed while");
        assertThat(made.get(0).isClosed()).isTrue();
    }

    @Test
    void a_caller_of_an_exhausted_pool_fails_with_the_reason() throws SQLException {
        EngineSettings one = EngineSettings.builder()
                .poolSize(1)
                .connectionTimeout(Duration.ofMillis(250))
                .build();
        DataSource dataSource = cache.engine("sqlite://", one).dataSource();
        try (Race race = Race.withThreads(1);
                Connection ofAnotherThread = race.result(race.start(dataSource::getConnection))) {
            assertThat(ofAnotherThread.isClosed()).isFalse();
            assertThatThrownBy(dataSource::getConnection)
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContainingAll("jdbc:sqlite::memory:", "request timed out");
        }
    }

    @Test
    void the_data_source_unwraps_to_the_pool() throws SQLException {
        DataSource dataSource = cache.engine("sqlite://").dataSource();

        assertThat(dataSource.isWrapperFor(HikariDataSource.class)).isTrue();
        assertThat(dataSource.isWrapperFor(DriverDataSource.class)).isTrue();
        assertThat(dataSource.isWrapperFor(List.class)).isFalse();
        DriverDataSource driver = dataSource.unwrap(DriverDataSource.class);
        assertThat(driver.toString()).contains("vfs=memdb");
        assertThat(driver.isWrapperFor(DataSource.class)).isFalse();
        assertThatThrownBy(() -> driver.unwrap(DataSource.class)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> driver.getConnection("joe", "x")).isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThatThrownBy(() -> dataSource.getConnection("joe", "hunter2"))
                .isInstanceOf(SQLFeatureNotSupportedException.class)
                .hasMessageContaining("jdbc:sqlite::memory:")
                .hasMessageNotContaining("hunter2");
        dataSource.setLoginTimeout(7);
        assertThat(dataSource.getLoginTimeout()).isEqualTo(7);
        dataSource.setLogWriter(null);
        assertThat(dataSource.getLogWriter()).isNull();
        assertThatThrownBy(dataSource::getParentLogger).isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThatThrownBy(driver::getParentLogger).isInstanceOf(SQLFeatureNotSupportedException.class);
    }

    private DataSource withData(EngineSettings settings) throws SQLException {
        DataSource dataSource = cache.engine("sqlite://", settings).dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)");
        return dataSource;
    }

    private static void assertNoTable(DataSource dataSource) {
        assertThatThrownBy(() -> Sql.query(dataSource, "SELECT x FROM t")).hasMessageContaining("no such table");
    }
}
