package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.MigrationsUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every method of the adapters makes a call of the protocol. Requires no Python. */
@Timeout(60)
class DriverAdaptersTest {
    private final List<String> creations = new ArrayList<>();
    private Driver driver;
    private CacheUnderTest cache;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        driver = new Driver("'" + String.join("' '", DriverTest.command(ObligingDriver.class)) + "'", folder);
        cache = driver.cache(url -> {
            creations.add(url);
            if (creations.size() > 1) {
                throw new IllegalStateException("a second engine is not created");
            }
        });
    }

    @AfterEach
    void end() throws Exception {
        cache.close();
        cache.release();
    }

    @Test
    void a_driver_reports_its_abilities_and_its_name() {
        assertThat(driver.abilities()).containsExactly(Ability.CLOSING);
        assertThat(driver.toString()).contains("ObligingDriver");
        assertThat(driver.remoteThread(Thread.currentThread())).isEmpty();
    }

    @Test
    void a_creation_calls_back_to_the_scenario() throws Exception {
        cache.engine("a");

        assertThat(creations).containsExactly("a");
        assertThatThrownBy(() -> cache.engine("a")).hasMessage("as requested");
    }

    @Test
    void an_engine_forwards_the_calls_of_its_connections() throws Exception {
        EngineUnderTest engine = cache.engine("a");
        ConnectionUnderTest connection = engine.connect();
        connection.begin();
        assertThat(connection.sql("SELECT 1")).containsExactly("1");
        connection.commit();
        connection.rollback();
        connection.close();

        assertThat(engine.sql("SELECT 1")).containsExactly("1");
        engine.closeIdleConnections();
        engine.close();
        assertThat(engine.isClosed()).isTrue();
        cache.evict("a");
        assertThat(cache.identity().object()).isEmpty();
        // A separate thread reads the error output, so wait for it.
        await().untilAsserted(() -> assertThat(cache.diagnostics()).contains("\"do\": \"evict\""));
    }

    @Test
    void a_unit_of_work_is_begun_and_ended() throws Exception {
        WorkUnderTest work = cache.work("a", folder);
        assertThatThrownBy(work::engine).hasMessageContaining("not opened a unit of work");
        work.run(transaction -> {
            assertThat(transaction.connection().sql("SELECT 1")).containsExactly("1");
            transaction.nested(part -> {});
        });
        work.read(transaction -> {});

        assertThat(work.engine()).isEqualTo(cache.engine("a").identity());
    }

    @Test
    void a_failing_unit_of_work_is_ended_with_its_failure() {
        WorkUnderTest work = work();
        assertThatThrownBy(() -> work.run(transaction -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("as requested");
        assertThatThrownBy(() -> work.run(transaction -> {
                    throw new AssertionError("never");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("never");
    }

    private WorkUnderTest work() {
        try {
            return cache.work("a");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void migrations_name_their_scripts() throws Exception {
        MigrationsUnderTest migrations = cache.migrations("a", folder);
        migrations.migrate();

        assertThat(migrations.engine()).isEqualTo(cache.engine("a").identity());
        assertThat(migrations.pending()).containsExactly("1");
        assertThat(migrations.status()).containsExactly("1");
        assertThat(migrations.forks(2)).hasSize(2);
    }
}
