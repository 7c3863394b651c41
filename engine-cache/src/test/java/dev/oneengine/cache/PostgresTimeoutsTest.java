package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oneengine.testing.Proxies;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresTimeoutsTest {
    private final Properties properties = new Properties();

    private static EngineSettings settings(String socketTimeout) {
        return EngineSettings.builder()
                .connectionTimeout(Duration.ofMillis(2_500))
                .socketTimeout(Duration.parse(socketTimeout))
                .build();
    }

    @Test
    void the_login_timeout_of_the_driver_is_the_connection_timeout_of_the_pool() {
        PostgresTimeouts.configure(properties, settings("PT0S"));

        assertThat(properties).containsOnly(Map.entry("tcpKeepAlive", "true"), Map.entry("loginTimeout", "2.5"));
    }

    @Test
    void parameters_of_the_url_are_kept() {
        properties.setProperty("tcpKeepAlive", "false");
        properties.setProperty("loginTimeout", "7");
        properties.setProperty("socketTimeout", "9");
        Properties before = (Properties) properties.clone();

        PostgresTimeouts.configure(properties, settings("PT0S"));

        assertThat(properties).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"PT0.000000001S, 1", "PT0.2S, 1", "PT7S, 7", "PT7.001S, 8"})
    void the_socket_timeout_is_rounded_up_to_seconds(String setting, String expected) {
        PostgresTimeouts.configure(properties, settings(setting));

        assertThat(properties).containsEntry("socketTimeout", expected);
    }

    @Test
    void different_socket_timeouts_in_url_and_settings_are_rejected() {
        properties.setProperty("socketTimeout", "7");

        PostgresTimeouts.configure(properties, settings("PT7S"));

        assertThat(properties).containsEntry("socketTimeout", "7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresTimeouts.configure(properties, settings("PT8S")))
                .withMessageContaining("the parameter socketTimeout is 7, but the setting socketTimeout is PT8S");
    }

    /** The login timeout limits each response until the connection is open; then the socket timeout applies. */
    @ParameterizedTest
    @CsvSource({
        "2, , 2, 0", // otherwise a silent server would block the driver's thread for ever
        "2.1, 10, 3, 10000",
        "1.5, 2, , ",
        "2, 2, , ",
        "5, 2, , ",
        "0, 2, , ",
        ", , , "
    })
    void the_login_timeout_limits_each_response_during_the_login(
            @Nullable String login, @Nullable String socket, @Nullable String duringLogin, @Nullable Integer afterLogin)
            throws SQLException {
        if (login != null) {
            properties.setProperty("loginTimeout", login);
        }
        if (socket != null) {
            properties.setProperty("socketTimeout", socket);
        }
        List<Object> networkTimeouts = new ArrayList<>();
        Connection made = Proxies.of(Connection.class, (self, method, arguments) -> {
            networkTimeouts.add(arguments[1]);
            return null;
        });
        List<@Nullable String> seen = new ArrayList<>();

        Connection connection = PostgresTimeouts.connect(
                (url, copy) -> {
                    seen.add(copy.getProperty("socketTimeout"));
                    return made;
                },
                "jdbc:postgresql://db/orders",
                properties);

        assertThat((Object) connection).isSameAs(made);
        assertThat(seen).containsExactly(duringLogin == null ? socket : duringLogin);
        assertThat(networkTimeouts).isEqualTo(afterLogin == null ? List.of() : List.of(afterLogin));
    }

    @Test
    void a_driver_that_does_not_support_the_url_returns_nothing() throws SQLException {
        properties.setProperty("loginTimeout", "2");

        assertThat((Object) PostgresTimeouts.connect((url, copy) -> null, "jdbc:other:x", properties))
                .isNull();
    }
}
