package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.cache.url.PercentEncoding;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Tag("slow")
@Timeout(120)
class PostgresDatabaseTest {
    private static final String PASSWORD = "hunter2-Zaunkönig";
    private static EmbeddedPostgres server;

    private final EngineCache cache = EngineCache.create();

    @BeforeAll
    static void start(@TempDir Path data) throws IOException, SQLException {
        server = EmbeddedPostgres.builder().setDataDirectory(data).start();
        // The test server trusts all other local users, but joe needs a password.
        Path rules = data.resolve("pg_hba.conf");
        Files.writeString(rules, "host all joe all scram-sha-256\n" + Files.readString(rules));
        Sql.execute(
                server.getPostgresDatabase(),
                "CREATE ROLE joe LOGIN PASSWORD '" + PASSWORD + "'",
                "SELECT pg_reload_conf()");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    private static String url(String userInfo, String rest) {
        return "postgresql://" + userInfo + "@localhost:" + server.getPort() + "/postgres" + rest;
    }

    @Test
    void racing_threads_get_one_engine_for_all_spellings_of_a_url() throws SQLException {
        List<Engine> engines = Race.run(
                8,
                i -> cache.engine(
                        i % 2 == 0
                                ? url("postgres", "")
                                : "jdbc:postgresql://LOCALHOST:" + server.getPort() + "/postgres?user=postgres"));

        assertThat(engines).allSatisfy(engine -> assertThat(engine).isSameAs(engines.get(0)));
        DataSource dataSource = engines.get(0).dataSource();
        assertThat(Sql.query(dataSource, "SHOW server_version_num")).startsWith("1");
        HikariDataSource pool = dataSource.unwrap(HikariDataSource.class);
        assertThat(pool.getPoolName())
                .contains("jdbc:postgresql://postgres@localhost:" + server.getPort() + "/postgres");
        assertThat(pool.getMaximumPoolSize()).isEqualTo(10);
        assertThat(pool.getMaxLifetime()).isEqualTo(1_800_000);
    }

    @Test
    void isolation_and_url_parameters_are_applied() throws SQLException {
        EngineSettings settings =
                EngineSettings.builder().isolation(Isolation.REPEATABLE_READ).build();
        DataSource dataSource = cache.engine(url("postgres", "?ApplicationName=test%20run"), settings)
                .dataSource();
        assertThat(Sql.query(dataSource, "SHOW transaction_isolation")).isEqualTo("repeatable read");
        assertThat(Sql.query(dataSource, "SHOW application_name")).isEqualTo("test run");
    }

    /** The source of a setting is "session" once a connection has set it, even to the same value. */
    @Test
    void by_default_the_server_sets_the_isolation_and_no_session_command_is_sent() throws SQLException {
        String source = "SELECT setting || ' from ' || source FROM pg_settings "
                + "WHERE name = 'default_transaction_isolation'";
        DataSource dataSource = cache.engine(url("postgres", "")).dataSource();
        assertThat(Sql.query(dataSource, source)).isEqualTo("read committed from default");

        Sql.execute(
                server.getPostgresDatabase(),
                "CREATE DATABASE strict",
                "ALTER DATABASE strict SET default_transaction_isolation = 'repeatable read'");
        DataSource strict = cache.engine("postgresql://postgres@localhost:" + server.getPort() + "/strict")
                .dataSource();
        assertThat(Sql.query(strict, source)).isEqualTo("repeatable read from database");
        assertThat(Sql.query(strict, "SHOW transaction_isolation")).isEqualTo("repeatable read");
    }

    @Test
    void an_unsupported_feature_does_not_end_a_transaction() throws SQLException {
        DataSource dataSource = cache.engine(url("postgres", "")).dataSource();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            String backend = Sql.query(connection, "SELECT pg_backend_pid()");
            Sql.execute(connection, "CREATE TABLE unsupported(name TEXT)");

            assertThatThrownBy(connection::createClob).isInstanceOf(SQLFeatureNotSupportedException.class);

            Sql.execute(connection, "INSERT INTO unsupported VALUES ('after')");
            connection.commit();
            assertThat(Sql.query(connection, "SELECT pg_backend_pid()")).isEqualTo(backend);
        }
        assertThat(Sql.query(dataSource, "SELECT name FROM unsupported")).isEqualTo("after");
    }

    @Test
    void an_outdated_plan_does_not_close_the_connection() throws SQLException {
        DataSource dataSource =
                cache.engine(url("postgres", "?prepareThreshold=1")).dataSource();
        try (Connection connection = dataSource.getConnection()) {
            Sql.execute(connection, "CREATE TABLE planned(id INTEGER)", "INSERT INTO planned VALUES (1)");
            String backend = Sql.query(connection, "SELECT pg_backend_pid()");
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM planned")) {
                for (int i = 0; i < 3; i++) {
                    statement.executeQuery().close();
                }
                connection.commit();
                Sql.execute(dataSource, "ALTER TABLE planned ADD COLUMN name TEXT");
                Sql.query(connection, "SELECT 1"); // the driver itself repeats the first statement if it fails

                assertThatThrownBy(statement::executeQuery)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("0A000"))
                        .hasMessageContaining("cached plan must not change result type");

                connection.rollback();
                statement.executeQuery().close();
            }
            assertThat(Sql.query(connection, "SELECT pg_backend_pid()")).isEqualTo(backend);
            connection.rollback();
        }
    }

    @Test
    void a_connection_terminated_by_the_server_leaves_the_pool() throws SQLException {
        DataSource dataSource = cache.engine(url("postgres", "")).dataSource();
        try (Connection connection = dataSource.getConnection()) {
            String backend = Sql.query(connection, "SELECT pg_backend_pid()");
            Sql.execute(server.getPostgresDatabase(), "SELECT pg_terminate_backend(" + backend + ")");
            assertThatThrownBy(() -> Sql.query(connection, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThat(connection.isClosed()).isTrue();
        }
        assertThat(Sql.query(dataSource, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void closing_the_engine_leaves_no_connection_on_the_server() throws SQLException {
        String mine = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counted'";
        Engine engine = cache.engine(url("postgres", "?ApplicationName=counted"));
        assertThat(Sql.query(engine.dataSource(), mine)).isEqualTo("1");

        engine.close();

        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(Sql.query(server.getPostgresDatabase(), mine))
                        .isEqualTo("0"));
    }

    @Test
    void the_pool_has_metrics_and_jmx_if_configured() throws Exception {
        AtomicInteger measured = new AtomicInteger();
        EngineSettings settings = EngineSettings.builder()
                .jmx(true)
                .metrics((poolName, stats) -> new IMetricsTracker() {
                    @Override
                    public void recordConnectionAcquiredNanos(long nanos) {
                        measured.incrementAndGet();
                    }
                })
                .build();
        Engine engine = cache.engine(url("postgres", "?ApplicationName=a%3Db"), settings);
        Sql.query(engine.dataSource(), "SELECT 1");

        assertThat(measured).hasValue(1);
        Set<ObjectName> pools = ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("com.zaxxer.hikari:type=Pool (one-engine*"), null);
        assertThat(pools).hasSize(1);
    }

    @Test
    void rejected_credentials_are_reported_without_the_password() {
        assertThat(failure(url("joe:wrong", "")))
                .hasMessageContainingAll("joe:***@localhost", "the server rejects this user or password");
        assertThat(failure(url("nobody", "")))
                .hasMessageContainingAll("nobody@localhost", "the server rejects this user or password");
    }

    @Test
    void rejected_credentials_fail_at_once_even_without_idle_connections() {
        EngineSettings none = EngineSettings.builder().minimumIdle(0).build();

        assertThatThrownBy(() -> cache.engine(url("joe:wrong", ""), none))
                .isInstanceOf(EngineCreationException.class)
                .hasMessageContaining("the server rejects this user or password");
    }

    @Test
    void a_missing_database_is_named() {
        assertThat(failure("postgresql://postgres@localhost:" + server.getPort() + "/none"))
                .hasMessageContainingAll("/none", "the server has no such database");
    }

    @Test
    void a_closed_port_is_named() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(failure("postgresql://joe:" + PASSWORD + "@localhost:" + port + "/db"))
                .hasMessageContainingAll("joe:***@localhost:" + port, "the server does not answer; check host, port");
    }

    @Test
    void an_unknown_driver_parameter_is_named() {
        assertThat(failure(url("postgres", "?sslmod=require"))).hasMessageContaining("unknown driver parameter sslmod");
    }

    @Test
    void the_password_is_in_no_log_and_no_message() throws IOException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        StringBuilder javaLog = new StringBuilder();
        Handler handler = collecting(javaLog);
        java.util.logging.Logger driver = java.util.logging.Logger.getLogger("org.postgresql");
        try {
            root.setLevel(Level.TRACE);
            root.addAppender(log);
            driver.setLevel(java.util.logging.Level.ALL);
            driver.addHandler(handler);
            String encoded = PercentEncoding.encode(PASSWORD);
            Engine engine = cache.engine(url("joe:" + encoded, "?sslpassword=" + encoded));
            StringBuilder shown = new StringBuilder();
            shown.append(engine).append(engine.url()).append(cache).append(engine.dataSource());
            shown.append(engine.settings());
            engine.close();
            shown.append(stackTrace(failure(url("joe:" + encoded + "x", ""))));
            for (String bad : List.of(
                    url("nobody:" + encoded, ""),
                    url("joe:" + encoded + "%07", ""),
                    url("joe:" + encoded + "%EE%80%80", ""),
                    url("joe:%22" + encoded + "'%3B%5C", ""),
                    url("joe:" + encoded, "?sslmode=require&sslpassword=" + encoded),
                    url("joe:" + encoded, "?requireAuth=md5&sslcert=/none&sslkey=/none&sslpassword=" + encoded),
                    url("joe:" + encoded, "?nonsense=1&password=" + encoded),
                    "postgresql://joe:" + encoded + "@localhost:1/db?sslpassword=" + encoded)) {
                shown.append(stackTrace(failure(bad)));
            }
            log.list.forEach(event -> shown.append(event.getFormattedMessage()).append('\n'));
            assertThat(log.list).hasSizeGreaterThan(10);
            assertThat(shown.append(javaLog).toString())
                    .contains("Creating the engine for jdbc:postgresql://joe:***@localhost")
                    .doesNotContain("hunter2", "Zaunk");
        } finally {
            root.detachAppender(log);
            root.setLevel(level);
            driver.removeHandler(handler);
            driver.setLevel(null);
        }
    }

    private static Handler collecting(StringBuilder text) {
        return new Handler() {
            @Override
            public synchronized void publish(LogRecord entry) {
                text.append(entry.getMessage())
                        .append(Arrays.toString(entry.getParameters()))
                        .append('\n');
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private EngineCreationException failure(String url) {
        EngineCreationException[] failure = new EngineCreationException[1];
        assertThatThrownBy(() -> cache.engine(url))
                .isInstanceOfSatisfying(EngineCreationException.class, e -> failure[0] = e);
        assertThat(cache.toString()).doesNotContain("none", "nobody");
        return failure[0];
    }

    @Test
    void each_caller_gets_a_separate_copy_of_the_driver_properties() {
        DatabaseUrl url = DatabaseUrl.parse(url("joe:secret", "?ssl=true"));
        Properties properties = url.driverProperties();
        assertThat(properties).containsOnlyKeys("user", "password", "ssl").containsEntry("password", "secret");
        properties.clear();
        assertThat(url.driverProperties()).hasSize(3);
    }
}
