package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.SilentServer;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A PostgreSQL server that stops answering. Each test runs in a separate thread, because no interrupt ends a read from
 * a socket.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("slow") // waits for timeouts of whole seconds
class DeadServerTest {
    private static final String RECORDED = "?socketFactory=" + RecordedSockets.class.getName();

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private String url;

    /** Creates and records the sockets of PostgreSQL's driver, which loads this class by name. */
    public static final class RecordedSockets extends SocketFactory {
        static final List<Socket> MADE = new CopyOnWriteArrayList<>();

        @Override
        public Socket createSocket() {
            Socket socket = new Socket();
            MADE.add(socket);
            return socket;
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void find() throws SQLException {
        RecordedSockets.MADE.clear();
        url = Database.POSTGRESQL.url(directory);
    }

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    private static EngineSettings.Builder limit(Duration socketTimeout) {
        return EngineSettings.builder().socketTimeout(socketTimeout);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "&tcpKeepAlive=false, false"})
    void sockets_use_tcp_keepalive_unless_the_url_disables_it(String parameter, boolean expected)
            throws SocketException {
        cache.engine(url + RECORDED + parameter);

        assertThat(RecordedSockets.MADE).isNotEmpty();
        assertThat(RecordedSockets.MADE.get(0).getKeepAlive()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, '', 0", "PT0.2S, '', 1000", "PT7S, '', 7000", "PT0S, &socketTimeout=9, 9000"})
    void the_socket_timeout_is_rounded_up_to_seconds(Duration setting, String parameter, int millis)
            throws SQLException, SocketException {
        Engine engine = cache.engine(
                url + RECORDED + parameter, limit(setting).minimumIdle(1).build());
        Sql.query(engine.dataSource(), "SELECT 1");

        assertThat(RecordedSockets.MADE.get(0).getSoTimeout()).isEqualTo(millis);
    }

    @Test
    void the_longest_socket_timeout_fits_the_driver() throws SQLException {
        Duration longest = Duration.ofSeconds(Integer.MAX_VALUE / 1000);
        Engine engine = cache.engine(url, limit(longest).build());
        try (Connection connection = engine.dataSource().getConnection()) {
            assertThat(connection.getNetworkTimeout()).isEqualTo((int) longest.toMillis());
        }
    }

    @Test
    void different_socket_timeouts_in_url_and_settings_are_rejected_with_both_values() throws SQLException {
        EngineSettings settings = limit(Duration.ofMillis(6_500)).build();

        for (String inUrl : List.of("5", "0")) {
            assertThatThrownBy(() -> cache.engine(url + "?socketTimeout=" + inUrl, settings))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContainingAll(
                            "Cannot create the engine for jdbc:postgresql://",
                            "the parameter socketTimeout is " + inUrl
                                    + ", but the setting socketTimeout is PT6.5S; remove one of them");
        }
        assertThat(Sql.query(cache.engine(url + "?socketTimeout=7", settings).dataSource(), "SELECT 1"))
                .isEqualTo("1");
    }

    @Test
    void sqlite_has_no_socket_timeout() throws SQLException {
        Engine engine =
                cache.engine("sqlite:///:memory:", limit(Duration.ofSeconds(1)).build());
        assertThat(Sql.query(engine.dataSource(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void an_unanswered_statement_fails_and_the_next_connection_works() throws SQLException, IOException {
        try (TcpProxy proxy = TcpProxy.before(url)) {
            Engine engine = cache.engine(
                    proxy.url(), limit(Duration.ofSeconds(1)).poolSize(1).build());
            String backend = Sql.query(engine.dataSource(), "SELECT pg_backend_pid()");
            try (Connection connection = engine.dataSource().getConnection()) {
                proxy.silenceOpenConnections();
                long begin = System.nanoTime();

                assertThatThrownBy(() -> Sql.query(connection, "SELECT 1"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).startsWith("08"));

                assertThat(Duration.ofNanos(System.nanoTime() - begin))
                        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
                assertThat(connection.isClosed()).isTrue();
            }
            assertThat(Sql.query(engine.dataSource(), "SELECT pg_backend_pid()"))
                    .isNotEqualTo(backend);
        }
    }

    @Test
    void a_statement_within_the_socket_timeout_succeeds() throws SQLException {
        Engine engine = cache.engine(url, limit(Duration.ofSeconds(2)).build());
        for (int i = 0; i < 3; i++) {
            assertThat(Sql.query(engine.dataSource(), "SELECT 'slept' FROM pg_sleep(0.8)"))
                    .isEqualTo("slept");
        }
    }

    private static Duration time(ThrowingCallable call) {
        long begin = System.nanoTime();
        assertThatThrownBy(call).isNotInstanceOf(AssertionError.class);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** The driver must give up before the pool does; otherwise its connecting thread and the socket would stay. */
    private static void assertNoConnectIsInProgress() {
        await().untilAsserted(() -> {
            assertThat(RecordedSockets.MADE).allMatch(Socket::isClosed);
            assertThat(Thread.getAllStackTraces().values())
                    .noneMatch(stack -> Arrays.stream(stack)
                            .anyMatch(frame -> frame.getClassName().startsWith("org.postgresql.core.v3")));
        });
    }

    /** A server without TLS answers 'N'. After that answer, the driver sets no time limit. */
    @ParameterizedTest
    @CsvSource({"'', PT1.5S", "'', PT2S", "N, PT0.5S", "N, PT2S"})
    void a_silent_server_fails_after_the_connection_timeout(String greeting, Duration timeout) throws IOException {
        EngineSettings settings =
                EngineSettings.builder().connectionTimeout(timeout).build();
        try (SilentServer silent = SilentServer.saying(greeting.getBytes(StandardCharsets.US_ASCII))) {
            String silentUrl = "postgresql://joe@localhost:" + silent.port() + "/db" + RECORDED;

            Duration waited = time(() -> cache.engine(silentUrl, settings));

            assertThat(waited).isBetween(timeout.minusMillis(20), timeout.plusMillis(900));
            assertThat(silent.accepted()).isPositive();
            assertThat(RecordedSockets.MADE).isNotEmpty();
            assertNoConnectIsInProgress();
            assertThat(cache).hasToString("EngineCache[]");
        }
    }

    @Test
    void an_interrupt_during_a_connection_attempt_leaks_nothing() throws IOException, InterruptedException {
        EngineSettings settings = EngineSettings.builder()
                .connectionTimeout(Duration.ofSeconds(2))
                .build();
        try (SilentServer silent = SilentServer.saying((byte) 'N');
                Race race = Race.withThreads(1)) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> creation = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> cache.engine(
                                "postgresql://joe@localhost:" + silent.port() + "/db" + RECORDED, settings))
                        .isInstanceOf(EngineCreationException.class);
                return Thread.currentThread().isInterrupted();
            });
            await().until(() -> silent.accepted() > 0);
            thread.get().interrupt();
            assertThat(race.result(creation)).isTrue();
            assertNoConnectIsInProgress();
        }
    }

    /**
     * The pool tests an idle connection before it lends it. The test must leave enough time to open another connection.
     */
    @Test
    void a_dead_idle_connection_is_replaced_within_the_connection_timeout() throws SQLException, IOException {
        EngineSettings settings = EngineSettings.builder()
                .poolSize(2)
                .connectionTimeout(Duration.ofSeconds(2))
                .build();
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
        try (TcpProxy proxy = TcpProxy.before(url)) {
            DataSource dataSource = cache.engine(proxy.url(), settings).dataSource();
            String backend = Sql.query(dataSource, "SELECT pg_backend_pid()");
            proxy.silenceOpenConnections();
            long idle = System.nanoTime(); // the pool tests only connections that were idle for more than a millisecond
            await().pollDelay(Duration.ZERO).until(() -> System.nanoTime() - idle > 5_000_000);

            long begin = System.nanoTime();
            try (Connection connection = dataSource.getConnection()) {
                assertThat(Duration.ofNanos(System.nanoTime() - begin))
                        .isBetween(Duration.ofMillis(900), Duration.ofMillis(2_000));
                assertThat(Sql.query(connection, "SELECT pg_backend_pid()")).isNotEqualTo(backend);
            }
        } finally {
            System.clearProperty("com.zaxxer.hikari.aliveBypassWindowMs");
        }
    }

    @ParameterizedTest
    @CsvSource({"250, 250", "499, 499", "500, 250", "2000, 1000", "10000, 5000", "10001, 3333", "12000, 4000"})
    void the_validation_timeout_fits_into_the_connection_timeout(int timeout, int each) {
        EngineSettings settings = EngineSettings.builder()
                .connectionTimeout(Duration.ofMillis(timeout))
                .build();
        HikariDataSource pool = unwrapped(cache.engine("sqlite:///:memory:", settings));
        assertThat(pool.getConnectionTimeout()).isEqualTo(timeout);
        assertThat(pool.getValidationTimeout()).isEqualTo(each);
    }

    private static HikariDataSource unwrapped(Engine engine) {
        try {
            return engine.dataSource().unwrap(HikariDataSource.class);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void rejected_credentials_leak_no_connection() {
        String nobody = url.replace("postgres@", "nobody@") + RECORDED;
        assertThatThrownBy(() -> cache.engine(nobody)).isInstanceOf(EngineCreationException.class);
        assertThat(RecordedSockets.MADE).hasSize(1);
        assertNoConnectIsInProgress();
    }

    @ParameterizedTest
    @CsvSource({"&loginTimeout=0, 0", "&loginTimeout=3&socketTimeout=2, 2000"})
    void a_login_timeout_in_the_url_overrides_the_default(String parameters, int millis)
            throws SQLException, SocketException {
        Engine engine = cache.engine(url + RECORDED + parameters);
        Sql.query(engine.dataSource(), "SELECT 1");
        assertThat(RecordedSockets.MADE.get(0).getSoTimeout()).isEqualTo(millis);
    }

    @Test
    void a_connection_in_use_during_the_close_fails_and_names_the_closed_engine() throws SQLException {
        Engine engine = cache.engine(url);
        try (Connection connection = engine.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            connection.setAutoCommit(false);
            statement.executeQuery();
            engine.close();
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    statement::executeQuery,
                    connection::createStatement,
                    connection::commit,
                    () -> connection.prepareStatement("SELECT 2"),
                    connection::getMetaData,
                    connection::rollback)) {
                assertThatThrownBy(use)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).startsWith("08"))
                        .hasMessage("The engine for " + engine.url() + " was closed; get a new one from the cache")
                        .hasCauseInstanceOf(SQLException.class);
            }
        }
    }
}
