package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineCreationException;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.PgBouncer;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.SessionProxy;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.RetryPolicy;
import dev.oneengine.work.UnitOfWork;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on PostgreSQL behind a proxy that gives each transaction another session of the server. */
@Tag("slow")
@Timeout(120)
class SharedSessionsTest {
    private static final int SESSIONS = 4;

    /** The settings of a session, except those that the driver sets and PgBouncer tracks for each client. */
    private static final String SET_FOR_SESSION = """
            SELECT string_agg(name || ' = ' || setting, ', ') FROM pg_settings
            WHERE source = 'session' AND name NOT LIKE 'transaction\\_%' AND name NOT IN ('application_name',
                'client_encoding', 'DateStyle', 'extra_float_digits', 'standard_conforming_strings', 'TimeZone')
            """;

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private String direct;
    private AutoCloseable proxy;

    /** The proxy between client and server. */
    enum Through {
        SWAPPED_SESSIONS,
        PGBOUNCER
    }

    @BeforeEach
    void create() throws SQLException {
        direct = Database.POSTGRESQL.newUrl(directory);
    }

    @AfterEach
    void close() throws Exception {
        cache.close();
        if (proxy != null) {
            proxy.close();
        }
    }

    private String start(Through through) throws Exception {
        if (through == Through.SWAPPED_SESSIONS) {
            SessionProxy started = SessionProxy.before(direct);
            proxy = started;
            return started.url();
        }
        assumeTrue(PgBouncer.program().isPresent(), "pgbouncer is not installed");
        PgBouncer started = PgBouncer.before(direct, directory);
        proxy = started;
        return started.url();
    }

    private MigrationRunner runner(String url, Folder scripts) {
        return MigrationRunner.on(url).cache(cache).locations(scripts.location());
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url.replace("postgresql://postgres@", "jdbc:postgresql://")
                + (url.contains("?") ? "&" : "?") + "user=postgres");
    }

    /** Reads several sessions by opening them at the same time. */
    private static void assertSessionsAreUnchanged(String url) throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < SESSIONS; i++) {
                Connection connection = connect(url);
                open.add(connection);
                connection.setAutoCommit(false);
                assertThat(Sql.query(connection, SET_FOR_SESSION)).isNull();
                assertThat(Sql.query(connection, "SHOW transaction_read_only")).isEqualTo("off");
                assertThat(Sql.query(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
                assertThat(Sql.query(connection, "SHOW role")).isEqualTo("none");
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void concurrent_units_lose_no_update(Through through) throws Exception {
        Engine engine = cache.engine(start(through));
        Sql.execute(engine.dataSource(), "CREATE TABLE counter(n INTEGER)", "INSERT INTO counter VALUES (0)");
        UnitOfWork work = UnitOfWork.builder(engine)
                .retry(new RetryPolicy(10_000, Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofSeconds(100)))
                .build();

        Race.run(8, thread -> {
            for (int i = 0; i < 60; i++) {
                work.run(tx -> {
                    int n = Integer.parseInt(Sql.query(tx.connection(), "SELECT n FROM counter"));
                    Sql.execute(tx.connection(), "UPDATE counter SET n = " + (n + 1));
                });
            }
            return thread;
        });

        assertThat(Sql.query(engine.dataSource(), "SELECT n FROM counter")).isEqualTo("480");
        assertSessionsAreUnchanged(engine.url().jdbcUrl());
    }

    @ParameterizedTest
    @EnumSource
    void read_only_units_leave_shared_sessions_writable(Through through) throws Exception {
        for (String mode : List.of("transaction", "always", "ignore")) {
            String url = start(through);
            Engine engine = cache.engine(url + "&readOnlyMode=" + mode);
            UnitOfWork work = UnitOfWork.on(engine);
            for (int i = 0; i < 2 * SESSIONS; i++) {
                assertThat(work.<String, SQLException>read(tx -> Sql.query(tx.connection(), "SELECT 1")))
                        .isEqualTo("1");
                assertThatThrownBy(() -> work.read(tx -> {
                            Sql.execute(tx.connection(), "CREATE TABLE forbidden(n INTEGER)");
                            return 1;
                        }))
                        .hasMessageContaining("read-only transaction");
            }
            assertSessionsAreUnchanged(url);
            engine.close();
            proxy.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void read_only_migration_calls_leave_shared_sessions_writable(Through through) throws Exception {
        String url = start(through);
        MigrationRunner runner = runner(url, Folder.withTwoScripts(directory));
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < SESSIONS; j++) {
                runner.status();
                runner.pending();
                runner.validate();
            }
            for (int j = 0; j < 8; j++) {
                try (Connection other = connect(url)) {
                    Sql.execute(other, "CREATE TABLE other_" + i + j + "(n INTEGER)");
                }
            }
            assertSessionsAreUnchanged(url);
            runner.configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("0"))
                    .migrate();
        }
    }

    @ParameterizedTest
    @EnumSource
    void migrations_do_not_change_shared_sessions(Through through) throws Exception {
        // The first lines of a database dump, and other statements that change the session.
        Folder scripts = Folder.withTwoScripts(directory)
                .script("V3__dump.sql", """
                        SET statement_timeout = 77777;
                        SET SESSION lock_timeout = '33s';
                        SET default_transaction_read_only = off;
                        SELECT pg_catalog.set_config('search_path', '', false);
                        CREATE ROLE migrator_%1$s;
                        GRANT ALL ON SCHEMA public TO migrator_%1$s;
                        SET ROLE migrator_%1$s;
                        CREATE TABLE public.three(name TEXT);
                        """.formatted(through.name().toLowerCase(Locale.ROOT)));
        String url = start(through);

        assertThat(runner(url, scripts)
                        .configure(flyway -> flyway.defaultSchema("public"))
                        .migrate()
                        .applied())
                .hasSize(3);

        assertSessionsAreUnchanged(url);
        assertThat(runner(direct, scripts).status())
                .extracting(Migration::state)
                .containsOnly(Migration.State.APPLIED);
    }

    @ParameterizedTest
    @EnumSource
    void racing_runners_apply_each_script_once(Through through) throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        String url = start(through);

        List<MigrationResult> results = Race.run(3, thread -> {
            try (EngineCache own = EngineCache.create()) {
                return runner(url, scripts).cache(own).migrate();
            }
        });

        assertThat(results.stream().mapToInt(result -> result.applied().size()).sum())
                .isEqualTo(2);
        try (Connection connection = connect(direct)) {
            assertThat(Rows.count(connection, "one")).isEqualTo(1);
            assertThat(Sql.query(connection, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void scripts_that_need_a_session_are_rejected(Through through) throws Exception {
        Folder scripts =
                Folder.withTwoScripts(directory).script("V3__index.sql", "CREATE INDEX CONCURRENTLY i ON one(name);");
        String url = start(through);

        assertThatThrownBy(runner(url, scripts)::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("Cannot migrate " + cache.engine(url).url())
                .hasMessageContaining("direct connection");

        assertThat(runner(url, scripts).pending()).hasSize(3);
        assertSessionsAreUnchanged(url);
        assertThat(runner(direct, scripts).migrate().applied()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void an_isolation_setting_of_the_engine_is_rejected(Through through) throws Exception {
        String url = start(through);
        assertThatThrownBy(() -> cache.engine(
                        url,
                        EngineSettings.builder()
                                .isolation(Isolation.SERIALIZABLE)
                                .build()))
                .isInstanceOf(EngineCreationException.class)
                .hasMessageContaining("isolation");
        assertSessionsAreUnchanged(url);
    }

    @ParameterizedTest
    @EnumSource
    void forks_of_a_template_are_independent(Through through) throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        String url = start(through);
        try (MigratedTemplate template = MigratedTemplate.of(runner(url, scripts));
                Engine first = template.fork();
                Engine second = template.fork()) {
            Sql.execute(first.dataSource(), "INSERT INTO one VALUES ('first')");
            assertThat(Sql.query(second.dataSource(), "SELECT count(*) FROM one"))
                    .isEqualTo("1");
        }
    }
}
