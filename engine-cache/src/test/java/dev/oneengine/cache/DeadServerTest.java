package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A PostgreSQL server that stops answering. Tests run in threads of their own, as no interrupt ends a read from a socket. */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
class DeadServerTest {
    private static final String RECORDED = "?socketFactory=" + RecordedSockets.class.getName();

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private String url;

    /** Makes sockets for PostgreSQL's driver, which finds this class by its name, and keeps them for the test. */
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
    void sockets_have_tcp_keepalive_unless_the_url_says_otherwise(String parameter, boolean expected)
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
    void a_url_and_settings_with_different_socket_timeouts_are_an_error_that_names_both() throws SQLException {
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
    void a_statement_without_an_answer_fails_and_the_next_connection_works() throws SQLException, IOException {
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
    void a_statement_within_the_limit_is_not_ended() throws SQLException {
        Engine engine = cache.engine(url, limit(Duration.ofSeconds(2)).build());
        for (int i = 0; i < 3; i++) {
            assertThat(Sql.query(engine.dataSource(), "SELECT 'slept' FROM pg_sleep(0.8)"))
                    .isEqualTo("slept");
        }
    }
}
