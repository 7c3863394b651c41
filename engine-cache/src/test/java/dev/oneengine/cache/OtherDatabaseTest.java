package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.H2;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** H2 with a custom engine factory, because this library does not support it itself. */
@Timeout(60)
class OtherDatabaseTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final EngineCache cache = EngineCache.create(this::open, EngineSettings.defaults());

    private EngineSource open(DatabaseUrl url, EngineSettings settings) {
        opened.incrementAndGet();
        return H2.open(url, settings);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void a_custom_factory_opens_the_database_once() throws SQLException {
        String url = "jdbc:h2:mem:once";
        List<Engine> engines = Race.run(8, i -> cache.engine(url));

        assertThat(engines).allSatisfy(engine -> assertThat(engine).isSameAs(engines.get(0)));
        assertThat(opened).hasValue(1);
        DataSource dataSource = engines.get(0).dataSource();
        Sql.execute(dataSource, "CREATE TABLE plan(id INT PRIMARY KEY)", "INSERT INTO plan VALUES (1)");
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT id FROM plan"))
                .isEqualTo("1");
        assertThat(cache.engine("jdbc:h2:mem:other")).isNotSameAs(engines.get(0));
        assertThat(cache.evict(url)).isTrue();
        assertThatThrownBy(dataSource::getConnection).hasMessageContaining("jdbc:h2:mem:once was closed");
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void units_of_another_database_do_not_queue() throws SQLException {
        Engine engine = cache.engine("jdbc:h2:mem:turns");
        try (Admission one = engine.enter(AccessMode.WRITE, Duration.ofSeconds(1));
                Admission two = engine.enter(AccessMode.WRITE, Duration.ZERO)) {
            assertThat(Sql.query(one.connection(), "SELECT 1")).isEqualTo("1");
            assertThat(Sql.query(two.connection(), "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void a_password_in_the_url_reaches_only_the_driver() throws SQLException {
        Engine engine = cache.engine("jdbc:h2:mem:secret;USER=joe;PASSWORD=hunter2@b");

        assertThat(Sql.query(engine.dataSource(), "SELECT CURRENT_USER")).isEqualTo("JOE");
        assertThat(engine + " " + engine.url() + cache + engine.dataSource()).doesNotContain("hunter2");
    }

    /** HikariCP quotes a URL that no driver accepts. */
    @Test
    void a_pool_that_quotes_the_url_shows_no_password() {
        assertThatThrownBy(() -> cache.engine("jdbc:nosuch:x;USER=joe;PASSWORD=hunter2@b"))
                .isInstanceOf(EngineCreationException.class)
                .hasMessageStartingWith("Cannot create the engine for jdbc:nosuch:...: ")
                .satisfies(failure -> {
                    StringWriter trace = new StringWriter();
                    failure.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).contains("jdbcUrl=***").doesNotContain("hunter2");
                });
    }

    @Test
    void the_pooled_factory_names_its_supported_databases() {
        try (EngineCache pooled = EngineCache.create()) {
            assertThatThrownBy(() -> pooled.engine("jdbc:h2:mem:x;USER=joe;PASSWORD=hunter2@b"))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageStartingWith("Cannot create the engine for jdbc:h2:...: ")
                    .hasMessageContaining("create the cache with an EngineFactory for this database");
        }
    }
}
