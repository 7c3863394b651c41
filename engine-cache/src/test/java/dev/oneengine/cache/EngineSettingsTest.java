package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.metrics.IMetricsTracker;
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
    void a_builder_starts_with_the_defaults() {
        assertThat(EngineSettings.builder().build()).isEqualTo(EngineSettings.defaults());
        assertThat(EngineSettings.defaults().isolation()).isNull();
        assertThat(EngineSettings.defaults().socketTimeout()).isZero();
        assertThat(EngineSettings.defaults().foreignKeys()).isTrue();
    }

    @Test
    void every_setting_can_be_changed() {
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
                .hasToString("EngineSettings{poolSize=3, minimumIdle=2, connectionTimeout=PT0.25S, socketTimeout=PT1S, "
                        + "busyTimeout=PT0S, idleTimeout=PT0S, maxLifetime=PT0S, keepalive=PT1H, foreignKeys=false, "
                        + "isolation=READ_COMMITTED, statementCache=0, jmx=true, metrics=null}");
        assertThat(settings.differencesTo(EngineSettings.defaults())).hasSize(12);
        assertThat(settings.differencesTo(settings)).isEmpty();
    }

    static Stream<Consumer<EngineSettings.Builder>> changes() {
        return Stream.of(
                b -> b.poolSize(3),
                b -> b.minimumIdle(2),
                b -> b.connectionTimeout(Duration.ofMillis(250)),
                b -> b.socketTimeout(Duration.ofSeconds(1)),
                b -> b.busyTimeout(Duration.ZERO),
                b -> b.idleTimeout(Duration.ZERO),
                b -> b.maxLifetime(Duration.ZERO),
                b -> b.keepalive(Duration.ZERO),
                b -> b.foreignKeys(false),
                b -> b.isolation(Isolation.READ_COMMITTED),
                b -> b.statementCache(0),
                b -> b.jmx(true),
                b -> b.metrics((pool, stats) -> new IMetricsTracker() {}));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void each_setting_counts_for_equality(Consumer<EngineSettings.Builder> change) {
        EngineSettings.Builder builder = EngineSettings.builder();
        change.accept(builder);
        EngineSettings changed = builder.build();

        assertThat(changed)
                .isNotEqualTo(EngineSettings.defaults())
                .isEqualTo(builder.build())
                .hasSameHashCodeAs(builder.build())
                .isNotEqualTo("settings");
        assertThat(EngineSettings.defaults().differencesTo(changed)).hasSize(1);
    }

    @Test
    void the_equality_test_changes_every_setting() {
        long settings = Stream.of(EngineSettings.Builder.class.getMethods())
                .filter(method -> method.getReturnType() == EngineSettings.Builder.class)
                .count();

        assertThat(changes()).hasSize((int) settings);
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                outOfRange("poolSize must be at least 1, not 0", b -> b.poolSize(0)),
                outOfRange("minimumIdle must be between 0 and the poolSize of 10, not 11", b -> b.minimumIdle(11)),
                outOfRange("minimumIdle must be between", b -> b.minimumIdle(-1)),
                outOfRange(
                        "connectionTimeout must be at least PT0.25S, not PT0.1S",
                        b -> b.connectionTimeout(Duration.ofMillis(100))),
                outOfRange("socketTimeout must be between zero and", b -> b.socketTimeout(Duration.ofMillis(-1))),
                outOfRange("socketTimeout must be between zero and", b -> b.socketTimeout(Duration.ofDays(25))),
                outOfRange("connectionTimeout must be between", b -> b.connectionTimeout(Duration.ofDays(25))),
                outOfRange("busyTimeout must be between zero and", b -> b.busyTimeout(Duration.ofMillis(-1))),
                outOfRange("busyTimeout must be between zero and", b -> b.busyTimeout(Duration.ofDays(25))),
                outOfRange("statementCache must be at least 0, not -1", b -> b.statementCache(-1)),
                outOfRange("idleTimeout must be at least PT10S", b -> b.idleTimeout(Duration.ofSeconds(9))),
                outOfRange("maxLifetime must be at least PT30S", b -> b.maxLifetime(Duration.ofSeconds(29))),
                outOfRange("keepalive must be at least PT30S", b -> b.keepalive(Duration.ofSeconds(29))),
                outOfRange(
                        "keepalive must be shorter than the maxLifetime of PT2M",
                        b -> b.maxLifetime(Duration.ofMinutes(2))));
    }

    private static Arguments outOfRange(String message, Consumer<EngineSettings.Builder> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void a_value_out_of_range_is_rejected(String message, Consumer<EngineSettings.Builder> change) {
        EngineSettings.Builder builder = EngineSettings.builder();
        change.accept(builder);
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
    }

    @Test
    void isolations_map_to_the_levels_of_jdbc() {
        assertThat(Isolation.READ_COMMITTED.jdbc()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
        assertThat(Isolation.REPEATABLE_READ.jdbc()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(Isolation.SERIALIZABLE.jdbc()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    }
}
