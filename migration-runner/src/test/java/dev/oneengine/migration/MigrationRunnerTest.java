package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineCreationException;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettingsException;
import dev.oneengine.cache.InvalidDatabaseUrlException;
import dev.oneengine.cache.PreparationException;
import dev.oneengine.migration.Migration.State;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationRunnerTest extends TwoScripts {
    private static List<String> tables(Engine engine) throws SQLException {
        String sql = engine.url().kind().name().startsWith("SQLITE")
                ? "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name)"
                : "SELECT string_agg(tablename, ',' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'";
        String names = Sql.query(engine.dataSource(), sql);
        return names == null ? List.of() : List.of(names.split(","));
    }

    private static List<String> scripts(List<Migration> migrations) {
        return migrations.stream().map(Migration::script).toList();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void scripts_are_applied_in_the_order_of_their_versions(Database database) throws Exception {
        scripts.script("V10__ten.sql", "INSERT INTO two VALUES ('V10');");
        String url = database.url(directory);

        MigrationResult result = on(url).migrate();

        assertThat(scripts(result.applied())).containsExactly("V1__one.sql", "V2__two.sql", "V10__ten.sql");
        assertThat(result.applied()).extracting(Migration::state).containsOnly(State.APPLIED);
        assertThat(result.applied().get(2))
                .isEqualTo(new Migration("10", "ten", "V10__ten.sql", State.APPLIED))
                .hasToString("V10__ten.sql (APPLIED)");
        assertThat(result.version()).isEqualTo("10");
        assertThat(tables(cache.engine(url))).containsExactly("flyway_schema_history", "one", "two");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_second_call_of_migrate_returns_the_same_result(Database database) throws Exception {
        String url = database.url(directory);
        MigrationResult first = on(url).migrate();

        assertThat(on(url).migrate()).isSameAs(first);
        assertThat(MigrationRunner.on(cache.engine(url))
                        .locations(scripts.location())
                        .migrate())
                .isSameAs(first);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"FILE", "POSTGRESQL"},
            value = Database.class)
    void migrating_a_migrated_database_applies_no_script(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();

        try (EngineCache another = EngineCache.create()) {
            MigrationResult result = on(url).cache(another).migrate();

            assertThat(result.applied()).isEmpty();
            assertThat(result.version()).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void new_scripts_are_applied_by_the_next_call(Database database) throws Exception {
        String url = database.url(directory);
        MigrationRunner runner = on(url);
        runner.migrate();
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT)");

        assertThat(scripts(runner.pending())).containsExactly("V3__three.sql");
        assertThat(scripts(runner.migrate().applied())).containsExactly("V3__three.sql");
        assertThat(runner.pending()).isEmpty();
    }

    @Test
    void the_default_location_is_the_classpath() throws SQLException {
        Engine engine = cache.engine("sqlite:///:memory:");

        assertThat(scripts(MigrationRunner.on(engine).migrate().applied()))
                .containsExactly("V1__plans.sql", "V2__first_plan.sql");
        assertThat(Sql.query(engine.dataSource(), "SELECT name FROM plan")).isEqualTo("the first");
    }

    /** Found on the classpath by its name. */
    public static final class V3__Java extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws Exception {
            Sql.execute(context.getConnection(), "INSERT INTO two VALUES ('Java')");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void migrations_can_be_written_in_java(Database database) throws Exception {
        String url = database.url(directory);

        MigrationResult result = on(url).configure(flyway -> flyway.javaMigrations(new V3__Java()))
                .migrate();

        assertThat(result.applied().get(2).script()).isEqualTo(V3__Java.class.getName());
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM two"))
                .isEqualTo("2");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void placeholders_are_replaced(Database database) throws Exception {
        scripts.script("V3__three.sql", "INSERT INTO two VALUES ('${name}');\nINSERT INTO two VALUES ('${other}');");
        String url = database.url(directory);

        on(url).placeholder("name", "replaced").placeholder("other", "too").migrate();

        assertThat(Sql.query(
                        cache.engine(url).dataSource(), "SELECT count(*) FROM two WHERE name IN ('replaced', 'too')"))
                .isEqualTo("2");
    }

    @Test
    void a_runner_with_other_placeholders_does_not_share_the_run() throws Exception {
        scripts.remove("V1__one.sql")
                .remove("V2__two.sql")
                .script(
                        "R__view.sql",
                        "CREATE TABLE IF NOT EXISTS seen(name TEXT); INSERT INTO seen VALUES ('${name}')");
        MigrationRunner runner = on("sqlite:///:memory:");

        MigrationResult first = runner.placeholder("name", "a").migrate();

        assertThat(first.applied()).extracting(Migration::version).containsOnlyNulls();
        assertThat(first.version()).isNull();
        assertThat(runner.placeholder("name", "b").migrate()).isNotSameAs(first);
    }

    @Test
    void a_changed_repeatable_script_is_applied_again() throws Exception {
        scripts.script("R__again.sql", "INSERT INTO two VALUES ('first')");
        MigrationRunner runner = on("sqlite:///:memory:");
        runner.migrate();
        scripts.script("R__again.sql", "INSERT INTO two VALUES ('second')");

        assertThat(runner.status())
                .extracting(Migration::script, Migration::state)
                .contains(tuple("R__again.sql", State.SUPERSEDED), tuple("R__again.sql", State.PENDING));
        assertThat(scripts(runner.migrate().applied())).containsExactly("R__again.sql");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void read_only_calls_do_not_change_the_database(Database database) throws Exception {
        String url = database.url(directory);
        MigrationRunner runner = on(url);

        assertThat(scripts(runner.pending())).containsExactly("V1__one.sql", "V2__two.sql");
        assertThat(runner.status())
                .containsExactly(
                        new Migration("1", "one", "V1__one.sql", State.PENDING),
                        new Migration("2", "two", "V2__two.sql", State.PENDING));
        runner.validate();

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(scripts.path());
        }
        assertThat(tables(cache.engine(url))).isEmpty();
    }

    @Test
    void read_only_calls_do_not_change_the_database_file() throws Exception {
        String url = Database.FILE.url(directory);
        Path file = directory.resolve("test.db");
        on(url).migrate();
        cache.evict(url);
        // The file has another journal mode than engines use, as if another program had created it.
        try (Connection plain = java.sql.DriverManager.getConnection(url)) {
            Sql.execute(plain, "PRAGMA journal_mode = DELETE");
        }
        byte[] before = Files.readAllBytes(file);
        List<Path> files = listing();

        assertThat(on(url).pending()).isEmpty();
        assertThat(on(url).status()).extracting(Migration::state).containsOnly(State.APPLIED);
        on(url).validate();

        assertThat(listing()).isEqualTo(files);
        assertThat(Arrays.equals(Files.readAllBytes(file), before)).isTrue();
    }

    private List<Path> listing() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    @Test
    void read_only_calls_on_a_file_wait_for_no_writer() throws Exception {
        String url = Database.FILE.url(directory);
        EngineSettings settings =
                EngineSettings.builder().busyTimeout(Duration.ofMillis(1)).build();
        Engine engine = cache.engine(url, settings);
        on(url).migrate();

        try (Connection writer = engine.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            Sql.execute(writer, "INSERT INTO one VALUES ('unfinished')");

            assertThat(MigrationRunner.on(engine).locations(scripts.location()).status())
                    .hasSize(2);
            assertThat(on(url).pending()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void settings_changed_by_a_script_do_not_reach_other_users_of_the_connection(Database database) throws Exception {
        boolean sqlite = database != Database.POSTGRESQL;
        scripts.script("V3__three.sql", sqlite ? "PRAGMA foreign_keys = OFF" : "SET search_path TO pg_catalog")
                .remove("V2__two.sql")
                .remove("V1__one.sql");
        String url = database.url(directory);
        EngineSettings one = EngineSettings.builder().poolSize(1).build();

        on(url).settings(one).migrate();

        assertThat(Sql.query(cache.engine(url).dataSource(), sqlite ? "PRAGMA foreign_keys" : "SHOW search_path"))
                .isEqualTo(sqlite ? "1" : "\"$user\", public");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_pool_of_one_connection_is_enough_even_if_it_is_in_use(Database database) throws Exception {
        String url = database.url(directory);
        Engine engine = cache.engine(
                url,
                EngineSettings.builder()
                        .poolSize(1)
                        .connectionTimeout(Duration.ofSeconds(1))
                        .build());

        try (Connection taken = engine.dataSource().getConnection()) {
            assertThat(taken.isClosed()).isFalse();
            assertThat(on(url).migrate().applied()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void scripts_run_on_the_connections_of_a_pool_of_another_kind(Database database) throws Exception {
        String url = database.url(directory);
        try (EngineCache own = EngineCache.create(UnknownPool::open, EngineSettings.defaults())) {
            assertThat(on(url).cache(own).migrate().applied()).hasSize(2);
            assertThat(on(url).cache(own).pending()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failing_script_leaves_the_database_as_it_was(Database database) throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO two VALUES ('V3');\n\nINSERT INTO\n    nowhere VALUES (1);");
        String url = database.url(directory);
        MigrationRunner runner = on(url);

        MigrationScriptException failure = catchThrowableOfType(MigrationScriptException.class, runner::migrate);

        assertThat(failure)
                .hasMessageStartingWith("V3__bad.sql, line 3, failed on jdbc:")
                .hasMessageContaining("nowhere")
                .hasMessageContaining("the statement is: INSERT INTO")
                .hasMessageEndingWith("; fix it and retry")
                .hasCauseInstanceOf(SQLException.class);
        assertThat(failure.script()).isEqualTo("V3__bad.sql");
        assertThat(failure.line()).hasValue(3);
        assertThat(failure.statement()).hasValue("INSERT INTO\n    nowhere VALUES (1)");
        assertThat(tables(cache.engine(url)))
                .as("no table remains, not even the history")
                .isEmpty();
        assertThat(runner.pending()).hasSize(3);

        scripts.script("V3__bad.sql", "INSERT INTO two VALUES ('V3');");
        assertThat(runner.migrate().applied()).hasSize(3);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM two"))
                .isEqualTo("2");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void callbacks_run_before_and_after_the_scripts(Database database) throws Exception {
        scripts.script("beforeMigrate.sql", "CREATE TABLE IF NOT EXISTS heard(name TEXT);")
                .script("beforeEachMigrate.sql", "INSERT INTO heard VALUES ('before each');")
                .script("afterEachMigrate.sql", "INSERT INTO heard VALUES ('after each');")
                .script("afterMigrate.sql", "INSERT INTO heard VALUES ('after');");
        String url = database.url(directory);

        on(url).migrate();

        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM heard"))
                .isEqualTo("5");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_script_that_cannot_run_in_a_transaction_runs_without_one(Database database) throws Exception {
        boolean sqlite = database != Database.POSTGRESQL;
        scripts.script(
                        "V3__alone.sql",
                        sqlite ? "PRAGMA foreign_keys = OFF;" : "CREATE INDEX CONCURRENTLY i ON one(name);")
                .script("V4__bad.sql", "INSERT INTO nowhere VALUES (1);");
        String url = database.url(directory);
        MigrationRunner runner = on(url);

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageContaining("V4__bad.sql");

        assertThat(scripts(runner.pending()))
                .as("the scripts before the failed one stay applied")
                .containsExactly("V4__bad.sql");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failed_callback_is_named(Database database) throws Exception {
        scripts.script("afterMigrate.sql", "INSERT INTO two VALUES ('after');\nINSERT INTO nowhere VALUES (1);");
        String url = database.url(directory);

        assertThatThrownBy(on(url)::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("afterMigrate.sql, line 2, failed on jdbc:");
        assertThat(tables(cache.engine(url))).isEmpty();
    }

    @Test
    void each_script_can_have_its_own_transaction() throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1);");
        MigrationRunner runner = on("sqlite:///:memory:").configure(flyway -> flyway.group(false));

        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationScriptException.class);

        assertThat(scripts(runner.pending())).containsExactly("V3__bad.sql");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_script_that_ends_the_transaction_of_its_run_is_rejected(Database database) throws Exception {
        String url = database.url(directory);
        List<String> ends =
                new ArrayList<>(List.of("COMMIT", "-- now\nRollback", "ROLLBACK /* all */", "/* x */\n \tcommit"));
        if (database == Database.POSTGRESQL) {
            ends.addAll(List.of("/* x */ END", "ABORT", "ROLLBACK WORK"));
        }
        for (String end : ends) {
            scripts.script(
                    "V3__ends.sql", "INSERT INTO two VALUES ('V3');\n" + end + ";\nINSERT INTO two VALUES ('V3');");

            assertThatThrownBy(on(url)::migrate)
                    .as(end)
                    .isInstanceOf(MigrationScriptException.class)
                    .hasMessageStartingWith("V3__ends.sql, line ")
                    .hasMessageContaining("the transaction that all migrations of a run share");
            assertThat(tables(cache.engine(url))).as(end).isEmpty();
        }
        scripts.script("V3__ends.sql", "SAVEPOINT s; INSERT INTO two VALUES ('no'); ROLLBACK TO s; RELEASE s;");
        assertThat(on(url).migrate().applied()).hasSize(3);
    }

    /** Statements that resemble an end of the transaction. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void statements_that_resemble_an_end_of_the_transaction_are_accepted(Database database) throws Exception {
        String blanks = " ".repeat(50) + "-- and commit\n".repeat(10) + "/* or */".repeat(10);
        scripts.script("V3__commits.sql", "CREATE TABLE commits(rollback_to TEXT);")
                .script("V4__long.sql", blanks + "INSERT INTO commits VALUES ('COMMIT; ROLLBACK');\n-- commit\n")
                .script("V5__open_comment.sql", "INSERT INTO commits VALUES ('x'); -- the end")
                .script(
                        "V6__savepoint.sql",
                        "SAVEPOINT s; ROLLBACK /* c */ TO SAVEPOINT s; Rollback Transaction TO s;");
        String url = database.url(directory);

        assertThat(on(url).migrate().applied()).hasSize(6);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM commits"))
                .isEqualTo("2");
    }

    /** Ends the transaction without SQL. */
    public static final class V3__Ends extends BaseJavaMigration {
        private final boolean byStatement;

        V3__Ends(boolean byStatement) {
            this.byStatement = byStatement;
        }

        @Override
        public void migrate(Context context) throws Exception {
            if (byStatement) {
                try (Statement statement = context.getConnection().createStatement()) {
                    statement.getConnection().rollback();
                }
            } else {
                context.getConnection().commit();
                context.getConnection().rollback();
            }
            Sql.execute(context.getConnection(), "CREATE TABLE three(name TEXT)");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_java_migration_that_ends_the_transaction_of_its_run_is_rejected(Database database) throws Exception {
        String url = database.url(directory);
        for (boolean byStatement : List.of(true, false)) {
            assertThatThrownBy(on(url).configure(flyway -> flyway.javaMigrations(new V3__Ends(byStatement)))::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("committed or rolled back the transaction");
            assertThat(tables(cache.engine(url))).isEmpty();
        }
    }

    /** Commits through the unwrapped connection, so the library notices it only from the result. */
    public static final class V3__Unwraps extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws Exception {
            Connection driver = context.getConnection();
            Class<?> type = driver.isWrapperFor(org.sqlite.SQLiteConnection.class)
                    ? org.sqlite.SQLiteConnection.class
                    : Class.forName("org.postgresql.jdbc.PgConnection");
            Sql.execute((Connection) driver.unwrap(type), "COMMIT");
        }
    }

    /** Rolls back its own work to a savepoint. */
    public static final class V3__Savepoint extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws Exception {
            Connection connection = context.getConnection();
            Savepoint savepoint = connection.setSavepoint("end");
            Sql.execute(connection, "INSERT INTO two VALUES ('no')");
            connection.rollback(savepoint);
            Sql.execute(connection, "INSERT INTO two VALUES ('yes')");
        }
    }

    /** Uses all kinds of statements. */
    public static final class V3__Statements extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws Exception {
            Connection connection = context.getConnection();
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("INSERT INTO two VALUES (?)")) {
                statement.addBatch("INSERT INTO two VALUES ('batch')");
                statement.executeBatch();
                prepared.setString(1, "prepared");
                prepared.executeUpdate();
                assertThatThrownBy(() -> statement.addBatch("COMMIT")).isInstanceOf(SQLException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_java_migration_may_use_statements_of_all_kinds(Database database) throws Exception {
        String url = database.url(directory);

        on(url).configure(flyway -> flyway.javaMigrations(new V3__Statements())).migrate();

        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM two"))
                .isEqualTo("3");
    }

    @Test
    void a_script_for_postgresql_may_contain_copy_rows() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        scripts.script("V3__copy.sql", "COPY two (name) FROM stdin;\na\nb\n\\.\n");

        assertThat(on(url).migrate().applied()).hasSize(3);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM two"))
                .isEqualTo("3");
    }

    @Test
    void a_broken_link_among_the_scripts_is_ignored() throws Exception {
        Files.createSymbolicLink(scripts.path().resolve(".#V2__two.sql"), Path.of("joe@host.1234"));
        MigrationRunner runner = on("sqlite:///:memory:");

        assertThat(runner.migrate().applied()).hasSize(2);
        assertThat(runner.migrate()).isSameAs(runner.migrate());
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_java_migration_may_use_savepoints(Database database) throws Exception {
        String url = database.url(directory);

        on(url).configure(flyway -> flyway.javaMigrations(new V3__Savepoint())).migrate();

        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM two"))
                .isEqualTo("2");
    }

    @Test
    void read_only_calls_in_memory_wait_for_a_writer_and_time_out_with_a_remedy() throws Exception {
        Engine engine = cache.engine(
                "sqlite:///:memory:",
                EngineSettings.builder().busyTimeout(Duration.ofMillis(1)).build());
        on("sqlite:///:memory:").migrate();
        try (Connection writer = engine.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            Sql.execute(writer, "INSERT INTO one VALUES ('unfinished')");

            assertThatThrownBy(on("sqlite:///:memory:")::pending)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageStartingWith("Cannot read the migrations of jdbc:sqlite::memory:")
                    .hasMessageContaining("would wait for ever for itself");
            try (Race race = Race.withThreads(1)) {
                assertThat(race.outcome(race.start(on("sqlite:///:memory:")::pending))
                                .failure())
                        .isInstanceOf(MigrationException.class)
                        .hasMessageStartingWith("Cannot read the migrations of jdbc:sqlite::memory:")
                        .hasMessageContaining("another transaction, perhaps of this thread, holds the database")
                        .hasNoCause();
            }
        }
    }

    @Test
    void a_missing_location_and_a_badly_named_script_fail_with_a_remedy() throws IOException {
        String remedy = "; check locations() and the names of the scripts, such as V1__plan.sql";
        assertThatThrownBy(() -> on("sqlite:///:memory:")
                        .locations("classpath:db/nowhere")
                        .migrate())
                .isInstanceOf(MigrationException.class)
                .hasMessage("Cannot read the migrations of jdbc:sqlite::memory:: Unable to resolve location"
                        + " classpath:db/nowhere" + remedy);

        scripts.script("V3_one_underscore.sql", "CREATE TABLE three(name TEXT);");
        assertThatThrownBy(on("sqlite:///:memory:")::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("V3_one_underscore.sql")
                .hasMessageEndingWith(remedy);
    }

    @Test
    void a_failure_in_configure_fails_the_call() {
        AtomicInteger calls = new AtomicInteger();
        MigrationRunner runner = on("sqlite:///:memory:").configure(flyway -> {
            if (calls.incrementAndGet() > 1) {
                throw new IllegalStateException("deliberate failure");
            }
            return flyway;
        });

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(EngineException.class)
                .hasRootCauseMessage("deliberate failure");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_hidden_commit_is_reported(Database database) throws Exception {
        assertThatThrownBy(
                        on(database.url(directory)).configure(flyway -> flyway.javaMigrations(new V3__Unwraps()))
                                ::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("committed or rolled back the transaction");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void error_callbacks_do_not_hide_the_failure(Database database) throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1);")
                .script("afterEachMigrateError.sql", "CREATE TABLE heard(name TEXT);")
                .script("afterMigrateError.sql", "CREATE TABLE heard_too(name TEXT);");
        String url = database.url(directory);

        assertThatThrownBy(on(url)::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("V3__bad.sql, line 1, failed on")
                .hasMessageContaining("nowhere");
        assertThat(tables(cache.engine(url))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failed_callback_of_a_script_has_its_own_name(Database database) throws Exception {
        scripts.script("afterEachMigrate.sql", "INSERT INTO nowhere VALUES (1);");

        assertThatThrownBy(on(database.url(directory))::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("afterEachMigrate.sql, line 1, failed on");
    }

    @Test
    void a_script_that_mixes_transactional_and_other_statements_is_named() throws Exception {
        scripts.script("V3__mixed.sql", "PRAGMA foreign_keys = OFF;\nCREATE TABLE three(name TEXT);");

        assertThatThrownBy(on("sqlite:///:memory:")::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("V3__mixed.sql failed on")
                .hasMessageContaining("split it into two scripts");
    }

    @Test
    void a_script_with_an_open_block_is_named() throws Exception {
        scripts.script("V3__open.sql", "BEGIN; INSERT INTO two VALUES ('V3'); COMMIT;");

        assertThatThrownBy(on("sqlite:///:memory:")::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("V3__open.sql ");
    }

    @Test
    void a_long_statement_is_shortened_only_in_the_message() throws Exception {
        String values = "('x'), ".repeat(1_000) + "('x')";
        scripts.script("V3__long.sql", "INSERT INTO nowhere VALUES " + values + ";");

        MigrationScriptException failure =
                catchThrowableOfType(MigrationScriptException.class, on("sqlite:///:memory:")::migrate);

        assertThat(failure.getMessage()).hasSizeLessThan(1_000).contains("...; fix it");
        assertThat(failure.statement().orElseThrow()).hasSizeGreaterThan(7_000);
    }

    @Test
    void a_runner_with_stricter_validation_does_not_share_the_run() throws Exception {
        MigrationRunner runner = on("sqlite:///:memory:");
        runner.migrate();
        scripts.remove("V2__two.sql");
        runner.configure(flyway -> flyway.ignoreMigrationPatterns("*:future")).migrate();

        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationHistoryException.class);
    }

    /** Without a check, the run would wait for ever for a lock of its own thread. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void a_run_inside_a_unit_of_work_fails_instead_of_waiting_for_ever(Database database) throws Exception {
        String url = database.url(directory);
        on(url).settings(EngineSettings.builder()
                        .busyTimeout(Duration.ofMillis(50))
                        .build())
                .migrate();
        scripts.script("V3__three.sql", "ALTER TABLE one ADD COLUMN more TEXT;");
        UnitOfWork work = UnitOfWork.on(cache.engine(url));

        assertThatThrownBy(() -> work.run(tx -> {
                    Sql.execute(tx.connection(), "INSERT INTO one VALUES ('unit')");
                    on(url).lockTimeout(Duration.ofMillis(200)).migrate();
                }))
                .isInstanceOf(MigrationException.class);
        assertThat(on(url).migrate().applied()).hasSize(1);
    }

    @Test
    void read_only_calls_do_not_apply_the_pragmas_of_the_url() throws Exception {
        String url = Database.FILE.url(directory);
        on(url).migrate();
        cache.evict(url);
        Path file = directory.resolve("test.db");
        byte[] before = Files.readAllBytes(file);

        assertThat(on(url + "?user_version=5&journal_mode=DELETE").pending()).isEmpty();

        assertThat(Arrays.equals(Files.readAllBytes(file), before)).isTrue();
    }

    @Test
    void a_script_cannot_hide_its_failure_by_ending_the_transaction() throws Exception {
        scripts.script("V3__bad.sql", "INSERT OR ROLLBACK INTO one(rowid, name) VALUES (1, 'twice');");
        MigrationRunner runner = on("sqlite:///:memory:");

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageContaining("UNIQUE constraint failed");
        assertThat(tables(cache.engine("sqlite:///:memory:"))).isEmpty();
    }

    /** A migration whose class name does not follow Flyway's pattern. */
    private static final class Failing extends BaseJavaMigration {
        @Override
        public org.flywaydb.core.api.MigrationVersion getVersion() {
            return org.flywaydb.core.api.MigrationVersion.fromVersion("3");
        }

        @Override
        public String getDescription() {
            return "failing";
        }

        @Override
        protected void init() {
            // Skips the check of the class name.
        }

        @Override
        public void migrate(Context context) {
            throw new IllegalStateException("deliberate failure");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failing_java_migration_is_named(Database database) throws Exception {
        String url = database.url(directory);
        MigrationRunner runner = on(url).configure(flyway -> flyway.javaMigrations(new Failing()));

        MigrationScriptException failure = catchThrowableOfType(MigrationScriptException.class, runner::migrate);

        assertThat(failure)
                .hasMessageContaining("Failing failed on jdbc:")
                .hasMessageContaining("deliberate failure")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(failure.line()).isEmpty();
        assertThat(failure.statement()).isEmpty();
        assertThat(tables(cache.engine(url))).isEmpty();
    }

    /** Fails in two ways. */
    public static final class V4__Fails extends BaseJavaMigration {
        private final boolean error;

        V4__Fails(boolean error) {
            this.error = error;
        }

        @Override
        public void migrate(Context context) throws Exception {
            if (error) {
                throw new NoClassDefFoundError("a/Driver");
            }
            context.getConnection()
                    .prepareStatement("SELECT something FROM nowhere")
                    .close();
            Sql.query(context.getConnection(), "SELECT something FROM nowhere");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void any_throwable_of_a_java_migration_rolls_back_the_run_and_is_the_cause(Database database) throws Exception {
        String url = database.url(directory);

        assertThatThrownBy(on(url).configure(flyway -> flyway.javaMigrations(new V4__Fails(false)))::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageContaining("nowhere")
                .hasCauseInstanceOf(SQLException.class);
        assertThatThrownBy(on(url).configure(flyway -> flyway.javaMigrations(new V4__Fails(true)))::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageContaining("V4__Fails")
                .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(tables(cache.engine(url))).isEmpty();
    }

    @Test
    void a_script_with_an_undefined_placeholder_is_named() throws Exception {
        scripts.script("V3__three.sql", "INSERT INTO two VALUES ('${nobody}');");
        MigrationRunner runner = on("sqlite:///:memory:");

        MigrationScriptException failure = catchThrowableOfType(MigrationScriptException.class, runner::migrate);

        assertThat(failure)
                .hasMessageStartingWith("V3__three.sql cannot be read: ")
                .hasMessageContaining("${nobody}");
        assertThat(failure.script()).isEqualTo("V3__three.sql");
        assertThat(tables(cache.engine("sqlite:///:memory:"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_changed_script_fails_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        scripts.script("V1__one.sql", "CREATE TABLE other(name TEXT);");

        assertProblem(url, State.CHANGED, "V1__one.sql was changed after it was applied", "into a new script");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_renamed_script_fails_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        Files.move(scripts.path().resolve("V1__one.sql"), scripts.path().resolve("V1__uno.sql"));

        assertProblem(
                url,
                State.CHANGED,
                "V1__one.sql was renamed after it was applied, and is now ",
                "V1__uno.sql: restore its name");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_missing_script_fails_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        scripts.remove("V1__one.sql");

        assertProblem(url, State.MISSING, "V1__one.sql is applied, but its script is missing", "restore it");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_history_newer_than_the_scripts_fails_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        scripts.remove("V2__two.sql");

        assertProblem(url, State.NEWER, "version 2 (V2__two.sql) is applied and newer", "newer release");
        on(url).configure(flyway -> flyway.ignoreMigrationPatterns("*:future")).migrate();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_missing_repeatable_script_fails_the_run_with_a_remedy(Database database) throws Exception {
        scripts.script("R__again.sql", "INSERT INTO two VALUES ('again');")
                .script("R__above.sql", "INSERT INTO two VALUES ('above');");
        String url = database.url(directory);
        on(url).migrate();
        scripts.remove("R__again.sql");

        assertProblem(url, State.MISSING, "R__again.sql is applied, but its script is missing", "restore it");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_script_below_the_current_version_fails_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        scripts.script("V1.5__late.sql", "CREATE TABLE late(name TEXT)");

        assertProblem(url, State.LATE, "V1.5__late.sql is not applied, though version 2 is", "outOfOrder(true)");
        assertThat(scripts(on(url).configure(flyway -> flyway.outOfOrder(true))
                        .migrate()
                        .applied()))
                .containsExactly("V1.5__late.sql");
        assertThat(on(url).configure(flyway -> flyway.outOfOrder(true)).status())
                .extracting(Migration::state)
                .containsOnly(State.APPLIED);
    }

    @Test
    void a_migration_that_failed_halfway_fails_the_run_with_a_remedy() throws Exception {
        scripts.script("V3__vacuum.sql", "INSERT INTO two VALUES ('V3'); VACUUM; INSERT INTO nowhere VALUES (1);")
                .script("V3__vacuum.sql.conf", "executeInTransaction=false");
        String url = "sqlite:///:memory:";
        MigrationRunner runner = on(url).configure(flyway -> flyway.group(false));
        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationScriptException.class);

        assertThatThrownBy(runner::validate)
                .isInstanceOf(MigrationHistoryException.class)
                .hasMessageContaining("V3__vacuum.sql failed earlier")
                .hasMessageContaining("flyway_schema_history");
        assertThat(runner.status()).extracting(Migration::state).contains(State.FAILED);
        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationHistoryException.class);
    }

    private void assertProblem(String url, State state, String what, String advice) {
        MigrationRunner runner = on(url);
        MigrationHistoryException failure = catchThrowableOfType(MigrationHistoryException.class, runner::validate);
        assertThat(failure)
                .hasMessageStartingWith("The migrations of jdbc:")
                .hasMessageContaining(what)
                .hasMessageContaining(advice);
        assertThat(failure.problems()).singleElement().asString().startsWith(what);
        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationHistoryException.class)
                .hasMessage(failure.getMessage());
        assertThatThrownBy(() -> cache.engine(url).prepare(runner.preparation()))
                .isInstanceOf(PreparationException.class)
                .hasRootCauseInstanceOf(MigrationHistoryException.class);
        assertThat(runner.status()).extracting(Migration::state).contains(state);
    }

    @Test
    void problems_of_the_history_are_reported_before_any_script_runs() throws Exception {
        MigrationRunner runner = on("sqlite:///:memory:");
        runner.migrate();
        scripts.script("V1__one.sql", "CREATE TABLE other(name TEXT);")
                .script("V3__three.sql", "CREATE TABLE three(a)");

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationHistoryException.class)
                .hasMessageContaining("V1__one.sql was changed");
        assertThat(tables(cache.engine("sqlite:///:memory:"))).doesNotContain("three");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filesystem:/no/such/folder", "classpath:no/such/folder"})
    void a_missing_location_fails_the_run(String location) {
        MigrationRunner runner = on("sqlite:///:memory:").locations(location);

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("no/such/folder");
        assertThatThrownBy(runner::pending)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("no/such/folder");
        assertThat(cache.stats().created())
                .as("finding a missing location requires no second engine")
                .isLessThan(2);
    }

    @Test
    void a_malformed_script_name_fails_the_run() throws Exception {
        scripts.script("V3_one_underscore.sql", "SELECT 1");

        assertThatThrownBy(on("sqlite:///:memory:")::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("V3_one_underscore.sql");
    }

    @Test
    void two_scripts_with_the_same_version_fail_the_run() throws Exception {
        scripts.script("V2__again.sql", "SELECT 1");

        assertThatThrownBy(on("sqlite:///:memory:")::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("more than one migration with version 2");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void tables_without_a_history_fail_the_run_with_a_remedy(Database database) throws Exception {
        String url = database.url(directory);
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE theirs(name TEXT)");

        assertThatThrownBy(on(url)::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("there are tables in it, but no history of migrations")
                .hasMessageContaining("baselineOnMigrate(true)");
        assertThat(tables(cache.engine(url))).containsExactly("theirs");
        assertThat(on(url).configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("1"))
                        .migrate()
                        .applied())
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void migrations_below_the_baseline_or_above_the_target_are_skipped(Database database) throws Exception {
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT);");
        String url = database.url(directory);
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE one(name TEXT)");
        MigrationRunner runner = on(url).configure(flyway ->
                flyway.baselineOnMigrate(true).baselineVersion("1").target("2"));

        assertThat(scripts(runner.migrate().applied())).containsExactly("V2__two.sql");

        assertThat(runner.status())
                .extracting(Migration::version, Migration::state)
                .contains(tuple("1", State.APPLIED), tuple("2", State.APPLIED), tuple("3", State.SKIPPED));
        assertThat(scripts(on(url).migrate().applied())).as("another target").containsExactly("V3__three.sql");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"MEMORY", "FILE"},
            value = Database.class)
    void a_timeout_names_the_transaction_that_holds_the_database(Database database) throws Exception {
        String url = database.url(directory);
        EngineSettings settings =
                EngineSettings.builder().busyTimeout(Duration.ofMillis(1)).build();
        Engine engine = cache.engine(url, settings);
        try (Connection writer = engine.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            Sql.execute(writer, "CREATE TABLE mine(name TEXT)");

            assertThatThrownBy(on(url)::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasStackTraceContaining("would wait for ever for itself");
            try (Race race = Race.withThreads(1)) {
                MigrationRunner hurried = on(url).lockTimeout(Duration.ofMillis(1));
                assertThat(race.outcome(race.start(hurried::migrate)).failure())
                        .isInstanceOf(MigrationException.class)
                        .hasStackTraceContaining("has waited PT0.001S for its turn")
                        .hasStackTraceContaining("is writing");
            }
        }
        assertThat(on(url).migrate().applied()).hasSize(2);
    }

    /** The queue does not include other processes, so SQLite's lock and the busy timeout apply. */
    @Test
    void a_timeout_names_another_process_that_holds_the_file() throws Exception {
        String url = Database.FILE.url(directory);
        cache.engine(
                url, EngineSettings.builder().busyTimeout(Duration.ofMillis(1)).build());
        try (Connection writer = DriverManager.getConnection(url)) {
            Sql.execute(writer, "BEGIN IMMEDIATE");

            assertThatThrownBy(on(url)::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("another transaction, perhaps of this thread, holds the database")
                    .hasNoCause()
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        }
        assertThat(on(url).migrate().applied()).hasSize(2);
    }

    @Test
    void invalid_settings_are_rejected_at_once() {
        MigrationRunner runner = MigrationRunner.on(cache.engine("sqlite:///:memory:"));

        assertThatThrownBy(() -> runner.cache(cache))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set a cache or engine settings only for a URL");
        assertThatThrownBy(() -> runner.settings(EngineSettings.defaults()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> runner.lockTimeout(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> runner.configure(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("customiser");
        assertThatThrownBy(() -> runner.placeholder(null, "value"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("name");
        assertThatThrownBy(() -> MigrationRunner.on("oracle:x")).isInstanceOf(InvalidDatabaseUrlException.class);
    }

    @Test
    void the_lock_timeout_can_be_unlimited() {
        String url = "jdbc:sqlite:" + directory.resolve("timeout.db");

        assertThat(on(url).lockTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                        .migrate()
                        .applied())
                .hasSize(2);
    }

    @Test
    void the_lock_timeout_limits_the_wait_for_another_runner_on_a_server() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        scripts.script("V3__slow.sql", "SELECT pg_advisory_xact_lock(42);");
        Engine gate = cache.engine(url);
        try (Connection closed = gate.dataSource().getConnection();
                Race race = Race.withThreads(1);
                EngineCache another = EngineCache.create()) {
            closed.setAutoCommit(false);
            Sql.execute(closed, "SELECT pg_advisory_xact_lock(42)");
            Future<MigrationResult> slow = race.start(() -> on(url).migrate());
            await().until(() -> Sql.query(gate.dataSource(), "SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .equals("1"));

            assertThatThrownBy(on(url).cache(another).lockTimeout(Duration.ofMillis(50))::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("a lock was not available within the lockTimeout of this runner");
            // With a transaction for each script, Flyway's own lock applies.
            assertThatThrownBy(on(url).cache(another)
                            .configure(flyway -> flyway.group(false))
                            .lockTimeout(Duration.ofSeconds(1))::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("a lock was not available within the lockTimeout of this runner");
            closed.rollback();
            assertThat(race.result(slow).applied()).hasSize(3);
        }
    }

    /** A limit of the role protects the application from a script that waits. */
    @ParameterizedTest
    @CsvSource({"2s, 2s", "10min, 1min", "0, 1min"})
    void a_shorter_lock_timeout_of_the_role_applies_to_scripts(String ofRole, String inScripts) throws Exception {
        String url = Database.POSTGRESQL.newUrl(directory) + "?options=-c%20lock_timeout%3D" + ofRole;
        scripts.script("V3__seen.sql", "CREATE TABLE seen AS SELECT current_setting('lock_timeout')");

        on(url).lockTimeout(Duration.ofMinutes(1)).migrate();

        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT * FROM seen"))
                .isEqualTo(inScripts);
    }

    @Test
    void a_lock_timeout_of_the_role_does_not_limit_the_wait_for_another_runner() throws Exception {
        String server = Database.POSTGRESQL.newUrl(directory);
        Engine other = cache.engine(server);
        try (Connection migrator = other.dataSource().getConnection();
                Race race = Race.withThreads(1);
                EngineCache hurried = EngineCache.create()) {
            migrator.setAutoCommit(false);
            Sql.execute(migrator, "SELECT pg_advisory_xact_lock(" + 0x6f6e65656e67696eL + ")");
            Future<MigrationResult> waiting = race.start(() -> on(server + "?options=-c%20lock_timeout%3D100")
                    .cache(hurried)
                    .migrate());
            await().until(() -> Sql.query(
                            other.dataSource(),
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND clock_timestamp() - query_start > interval '300 ms'")
                    .equals("1"));
            migrator.rollback();

            assertThat(race.result(waiting).applied()).hasSize(2);
        }
    }

    @Test
    void the_runner_uses_the_given_cache_and_settings() {
        String url = "sqlite:///:memory:";
        EngineSettings settings = EngineSettings.builder().poolSize(2).build();
        MigrationRunner runner = on(url).settings(settings);

        assertThat(runner.engine()).isSameAs(cache.engine(url));
        assertThat(runner.engine().settings()).isEqualTo(settings);
        assertThat(runner).hasToString("MigrationRunner[jdbc:sqlite::memory:, [" + scripts.location() + "]]");
        assertThat(MigrationRunner.on("sqlite://")).hasToString("MigrationRunner[jdbc:sqlite::memory:]");
        assertThatThrownBy(on(url).settings(EngineSettings.builder().poolSize(3).build())::migrate)
                .isInstanceOf(EngineSettingsException.class);
        assertThatThrownBy(on("jdbc:sqlite:" + directory.resolve("no/such.db"))::migrate)
                .isInstanceOf(EngineCreationException.class);
    }

    @Test
    void the_shared_cache_is_the_default() {
        String url = "jdbc:sqlite:file:migration-runner-test?mode=memory";
        try {
            MigrationRunner.on(url).locations(scripts.location()).migrate();
            assertThat(EngineCache.shared().evict(url)).isTrue();
        } finally {
            EngineCache.shared().evict(url);
        }
    }

    @Test
    void configure_can_neither_enable_clean_nor_replace_the_database() {
        Engine engine = cache.engine("sqlite:///:memory:");
        List<Boolean> cleanDisabled = new ArrayList<>();

        MigrationRunner.on(engine)
                .locations(scripts.location())
                .configure(
                        flyway -> flyway.cleanDisabled(false).dataSource("jdbc:sqlite:/no/such/place.db", null, null))
                .configure(flyway -> flyway.callbacks(new Watching(cleanDisabled)))
                .migrate();

        assertThat(cleanDisabled).isNotEmpty().containsOnly(true);
    }

    @Test
    void reading_scripts_ignores_callbacks_and_database_settings() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        Sql.execute(cache.engine(url).dataSource(), "DROP SCHEMA IF EXISTS app CASCADE");
        List<Boolean> heard = new ArrayList<>();
        MigrationRunner runner = on(url).configure(flyway ->
                flyway.schemas("app").initSql("SET lock_timeout = '10s'").callbacks(new Watching(heard)));

        runner.preparation();
        assertThat(heard).isEmpty();
        assertThat(runner.migrate().applied()).hasSize(2);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM app.one"))
                .isEqualTo("1");
        assertThat(runner.pending()).isEmpty();
    }

    @Test
    void a_listener_receives_the_progress() throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1);");
        List<String> heard = new ArrayList<>();
        MigrationRunner runner = on("sqlite:///:memory:").listener(new MigrationListener() {
            @Override
            public void started(Migration migration, int position, int total) {
                heard.add("started " + migration + " " + position + "/" + total);
            }

            @Override
            public void finished(Migration migration, int position, int total, Duration duration) {
                heard.add("finished " + migration + " " + position + "/" + total + (duration.isNegative() ? "?" : ""));
                throw new AssertionError("a failure of the listener has no effect");
            }

            @Override
            public void failed(Migration migration, int position, int total) {
                heard.add("failed " + migration + " " + position + "/" + total);
            }
        });
        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationScriptException.class);

        assertThat(heard)
                .containsExactly(
                        "started V1__one.sql (PENDING) 1/3",
                        "finished V1__one.sql (APPLIED) 1/3",
                        "started V2__two.sql (PENDING) 2/3",
                        "finished V2__two.sql (APPLIED) 2/3",
                        "started V3__bad.sql (PENDING) 3/3",
                        "failed V3__bad.sql (PENDING) 3/3");
    }

    @Test
    void a_listener_may_implement_no_method() throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1);");
        MigrationRunner runner = on("sqlite:///:memory:").listener(new MigrationListener() {});

        assertThatThrownBy(runner::migrate).isInstanceOf(MigrationScriptException.class);
    }
}
