package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Migrations over pools that the runner cannot bypass. */
@Timeout(60)
class OtherPoolsTest {
    @TempDir
    Path directory;

    /** The pool of an engine. */
    enum Pool {
        HIKARI_BY_URL {
            @Override
            EngineSource open(DatabaseUrl url) {
                HikariConfig config = new HikariConfig();
                config.setJdbcUrl(url.jdbcUrl());
                config.setDataSourceProperties(url.driverProperties());
                if (url.kind() == DatabaseUrl.Kind.POSTGRESQL) {
                    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
                }
                HikariDataSource pool = new HikariDataSource(config);
                return new TestSource(pool, pool);
            }
        },
        /** Lends a connection in the state that its last user left. */
        WITHOUT_RESET {
            @Override
            EngineSource open(DatabaseUrl url) {
                Queue<Connection> idle = new ConcurrentLinkedQueue<>();
                Queue<Connection> all = new ConcurrentLinkedQueue<>();
                DataSource pool = Proxies.of(DataSource.class, (proxy, method, args) -> {
                    if (!method.getName().equals("getConnection")) {
                        return false;
                    }
                    Connection free = idle.poll();
                    if (free == null) {
                        free = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                        all.add(free);
                        if (url.kind() == DatabaseUrl.Kind.POSTGRESQL) {
                            Sql.execute(free, "SET default_transaction_isolation = serializable");
                        }
                    }
                    return pooled(free, idle);
                });
                return new TestSource(pool, () -> {
                    for (Connection connection : all) {
                        connection.close();
                    }
                });
            }
        };

        abstract EngineSource open(DatabaseUrl url);

        private static Connection pooled(Connection connection, Queue<Connection> idle) {
            return Proxies.of(Connection.class, (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                    idle.add(connection);
                    return null;
                }
                return method.invoke(connection, arguments);
            });
        }
    }

    private static EngineCache cache(Pool pool) {
        return EngineCache.create((url, settings) -> pool.open(url), EngineSettings.defaults());
    }

    private static Stream<Arguments> pools() {
        return Stream.of(Pool.values())
                .flatMap(pool ->
                        Stream.of(Database.FILE, Database.POSTGRESQL).map(database -> Arguments.of(pool, database)));
    }

    private static final String STATE = """
            SELECT current_setting('search_path') || ', ' || current_setting('role') || ', '
                || current_setting('default_transaction_read_only') || ', ' || current_setting('transaction_isolation')
                || ', ' || current_setting('lock_timeout')
            """;

    /** The state of several connections of a pool. */
    private static List<String> states(Engine engine) throws SQLException {
        List<String> states = new ArrayList<>();
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                Connection connection = engine.dataSource().getConnection();
                open.add(connection);
                boolean sqlite = engine.url().kind() != DatabaseUrl.Kind.POSTGRESQL;
                states.add(connection.getAutoCommit() + ", "
                        + Sql.query(connection, sqlite ? "PRAGMA query_only" : STATE));
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        return states;
    }

    @ParameterizedTest
    @EnumSource
    void each_run_is_read_committed(Pool pool) throws Exception {
        for (boolean group : List.of(true, false)) {
            String url = Database.POSTGRESQL.newUrl(directory);
            Folder scripts = Folder.empty(directory)
                    .script(
                            "V1__a.sql",
                            "CREATE TABLE seen AS SELECT current_setting('transaction_isolation') AS level;");
            try (EngineCache cache = cache(pool)) {
                MigrationRunner.on(url)
                        .cache(cache)
                        .locations(scripts.location())
                        .configure(flyway -> flyway.group(group))
                        .migrate();
                assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT level FROM seen"))
                        .isEqualTo("read committed");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void read_only_calls_cannot_write(Pool pool, Database database) throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        try (EngineCache cache = cache(pool)) {
            Engine engine = cache.engine(database.newUrl(directory));
            List<String> before = states(engine);
            MigrationRunner runner = MigrationRunner.on(engine).locations(scripts.location());
            for (int i = 0; i < 2; i++) {
                assertThat(runner.pending()).hasSize(i == 0 ? 2 : 0);
                assertThat(runner.status()).hasSize(2);
                runner.validate();
                scripts.script("beforeInfo.sql", "CREATE TABLE written(name TEXT);");
                assertThatThrownBy(runner::status)
                        .isInstanceOf(MigrationException.class)
                        .message()
                        .containsAnyOf("read-only", "readonly");
                scripts.remove("beforeInfo.sql");
                assertThat(states(engine)).isEqualTo(before);
                runner.migrate();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void connections_return_to_the_pool_in_their_original_state(Pool pool) throws Exception {
        for (boolean group : List.of(true, false)) {
            Folder scripts = Folder.withTwoScripts(directory).script("V3__dump.sql", """
                            SET lock_timeout = '33s';
                            SET default_transaction_isolation = 'repeatable read';
                            SELECT pg_catalog.set_config('search_path', '', false);
                            SET ROLE pg_monitor;
                            """);
            try (EngineCache cache = cache(pool)) {
                Engine engine = cache.engine(Database.POSTGRESQL.newUrl(directory));
                List<String> before = states(engine);
                MigrationRunner runner = MigrationRunner.on(engine)
                        .locations(scripts.location())
                        .configure(flyway -> flyway.group(group));
                scripts.script("V4__bad.sql", "SET lock_timeout = '44s';\nINSERT INTO nowhere VALUES (1);");
                assertThatThrownBy(runner::migrate).hasMessageContaining("nowhere");
                assertThat(states(engine)).isEqualTo(before);
                scripts.remove("V4__bad.sql");
                runner.migrate();
                assertThat(runner.pending()).isEmpty();
                assertThat(states(engine)).isEqualTo(before);
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("pools")
    void racing_engines_apply_each_script_once(Pool pool, Database database) throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        String url = database.newUrl(directory);
        List<MigrationResult> results = Race.run(3, thread -> {
            try (EngineCache own = cache(pool)) {
                return MigrationRunner.on(url)
                        .cache(own)
                        .locations(scripts.location())
                        .migrate();
            }
        });
        assertThat(results.stream().mapToInt(result -> result.applied().size()).sum())
                .isEqualTo(2);
    }

    @Test
    void a_driver_without_a_read_only_mode_is_rejected_for_read_only_calls() throws SQLException {
        try (Connection plain = DriverManager.getConnection("jdbc:sqlite:")) {
            assertThatThrownBy(() -> ReadOnlyMode.of(plain))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("read-only");
        }
    }

    /** Only the driver's connection can show whether a proxy shares sessions. */
    @Test
    void a_pool_that_hides_the_driver_is_rejected_for_scripts_that_need_a_session() throws Exception {
        EngineFactory factory = (url, settings) -> {
            EngineSource source = Pool.WITHOUT_RESET.open(url);
            DataSource hiding = Proxies.of(
                    DataSource.class,
                    (proxy, method, arguments) -> method.getName().equals("getConnection")
                            ? UnknownPool.hide(
                                    Connection.class, source.dataSource().getConnection())
                            : false);
            return new TestSource(hiding, source);
        };
        String url = Database.POSTGRESQL.newUrl(directory);
        Folder scripts = Folder.withTwoScripts(directory);
        try (EngineCache cache = EngineCache.create(factory, EngineSettings.defaults())) {
            MigrationRunner runner = MigrationRunner.on(url).cache(cache).locations(scripts.location());
            assertThatThrownBy(runner.configure(flyway -> flyway.group(false))::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("direct connection");
            assertThat(runner.migrate().applied()).hasSize(2);
        }
    }
}
