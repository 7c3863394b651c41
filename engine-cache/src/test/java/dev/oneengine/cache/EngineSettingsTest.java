package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oneengine.cache.EngineSettings.Isolation;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EngineSettingsTest {
    @Test
    void defaults_are_what_a_builder_starts_from() {
        assertThat(EngineSettings.builder().build()).isEqualTo(EngineSettings.defaults());
        assertThat(EngineSettings.defaults().isolation()).isNull();
        assertThat(EngineSettings.defaults().socketTimeout()).isZero();
        assertThat(EngineSettings.defaults().foreignKeys()).isTrue();
    }

    @Test
    void everything_can_be_set() {
        EngineSettings settings = EngineSettings.builder()
                .poolSize(3)
                .minimumIdle(2)
                .connectionTimeout(Duration.ofMillis(250))
                .socketTimeout(Duration.ofSeconds(1))
                .busyTimeout(Duration.ZERO)
                .idleTimeout(Duration.ZERO)
                .maxLifetime(Duration.ZERO)
                .keepalive(Duration.ofHours(1))
                .foreignKeys(false)
                .isolation(Isolation.READ_COMMITTED)
                .statementCache(0)
                .jmx(true)
                .build();

        assertThat(settings)
                .isEqualTo(new EngineSettings(
                        3,
                        2,
                        Duration.ofMillis(250),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofHours(1),
                        false,
                        Isolation.READ_COMMITTED,
                        0,
                        true,
                        null));
        assertThat(settings.differencesTo(EngineSettings.defaults())).hasSize(12);
        assertThat(settings.differencesTo(settings)).isEmpty();
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                impossible("poolSize must be at least 1, not 0", b -> b.poolSize(0)),
                impossible("minimumIdle must be between 0 and the poolSize of 10, not 11", b -> b.minimumIdle(11)),
                impossible("minimumIdle must be between", b -> b.minimumIdle(-1)),
                impossible(
                        "connectionTimeout must be at least PT0.25S, not PT0.1S",
                        b -> b.connectionTimeout(Duration.ofMillis(100))),
                impossible("socketTimeout must be between zero and", b -> b.socketTimeout(Duration.ofMillis(-1))),
                impossible("socketTimeout must be between zero and", b -> b.socketTimeout(Duration.ofDays(25))),
                impossible("busyTimeout must not be negative", b -> b.busyTimeout(Duration.ofMillis(-1))),
                impossible("statementCache must not be negative, as -1 is", b -> b.statementCache(-1)),
                impossible("idleTimeout must be at least PT10S", b -> b.idleTimeout(Duration.ofSeconds(9))),
                impossible("maxLifetime must be at least PT30S", b -> b.maxLifetime(Duration.ofSeconds(29))),
                impossible("keepalive must be at least PT30S", b -> b.keepalive(Duration.ofSeconds(29))),
                impossible(
                        "keepalive must be shorter than the maxLifetime of PT2M",
                        b -> b.maxLifetime(Duration.ofMinutes(2))));
    }

    private static Arguments impossible(String message, Consumer<EngineSettings.Builder> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void what_cannot_be_is_refused(String message, Consumer<EngineSettings.Builder> change) {
        EngineSettings.Builder builder = EngineSettings.builder();
        change.accept(builder);
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
    }

    @Test
    void isolations_are_those_of_jdbc() {
        assertThat(Isolation.READ_COMMITTED.jdbc()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
        assertThat(Isolation.REPEATABLE_READ.jdbc()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(Isolation.SERIALIZABLE.jdbc()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    }
}
