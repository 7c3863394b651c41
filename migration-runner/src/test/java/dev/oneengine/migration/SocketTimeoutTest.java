package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The socket timeout ends long statements of the application, but no migration. */
@Timeout(60)
class SocketTimeoutTest {
    private static final EngineSettings ONE_SECOND =
            EngineSettings.builder().socketTimeout(Duration.ofSeconds(1)).build();

    @TempDir
    Path directory;

    private String url;
    private Folder scripts;

    @BeforeEach
    void write() throws IOException, SQLException {
        url = Database.POSTGRESQL.newUrl(directory);
        scripts = Folder.empty(directory)
                .script("V1__slow.sql", "CREATE TABLE slow(name TEXT);\nSELECT pg_sleep(1.2);")
                .script("V2__also_slow.sql", "SELECT pg_sleep(1.2);\nINSERT INTO slow VALUES ('V2');");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_migration_may_take_longer_than_the_socket_timeout(boolean inOneTransaction) throws SQLException {
        try (EngineCache cache = EngineCache.create(EngineFactory.pooled(), ONE_SECOND)) {
            MigrationResult result = MigrationRunner.on(url)
                    .cache(cache)
                    .locations(scripts.location())
                    .configure(flyway -> flyway.group(inOneTransaction))
                    .migrate();

            assertThat(result.applied()).hasSize(2);
            DataSource dataSource = cache.engine(url).dataSource();
            assertThat(Sql.query(dataSource, "SELECT name FROM slow")).isEqualTo("V2");
            assertThatThrownBy(() -> Sql.query(dataSource, "SELECT pg_sleep(2)"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
        }
    }

    @Tag("slow")
    @Test
    void a_socket_timeout_in_the_url_does_not_end_a_migration() throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            String limited = url + "?socketTimeout=1";
            assertThat(MigrationRunner.on(limited)
                            .cache(cache)
                            .locations(scripts.location())
                            .migrate()
                            .applied())
                    .hasSize(2);
        }
    }

    @Test
    void connections_for_flyway_have_no_socket_timeout() throws SQLException {
        DatabaseSupport support = DatabaseSupport.of(DatabaseUrl.parse(url));
        try (EngineCache cache = EngineCache.create(EngineFactory.pooled(), ONE_SECOND);
                Connection reading =
                        EngineConnections.forReading(cache.engine(url), support).getConnection();
                Connection migrating =
                        EngineConnections.forRun(cache.engine(url), support).getConnection();
                Connection pooled = cache.engine(url).dataSource().getConnection()) {
            assertThat(reading.getNetworkTimeout()).isZero();
            assertThat(migrating.getNetworkTimeout()).isZero();
            assertThat(pooled.getNetworkTimeout()).isEqualTo(1_000);
        }
    }
}
