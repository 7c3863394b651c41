package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Features of Flyway that also work here. */
class FlywayFeaturesTest extends TwoScripts {
    @Test
    void placeholders_may_come_from_flyway_properties() throws Exception {
        scripts.script("V3__three.sql", "INSERT INTO two VALUES ('${name}'), ('${other}');");
        MigrationRunner runner = on("sqlite:///:memory:")
                .placeholder("other", "o")
                .configure(flyway -> flyway.configuration(Map.of("flyway.placeholders.name", "n")));

        runner.migrate();

        assertThat(Sql.query(runner.engine().dataSource(), "SELECT group_concat(name) FROM two"))
                .isEqualTo("V2,n,o");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void undo_scripts_are_ignored(Database database) throws Exception {
        scripts.script("U1__one.sql", "DROP TABLE one;").script("U2__two.sql", "DROP TABLE two;");
        MigrationRunner runner = on(database.url(directory));

        assertThat(runner.pending()).hasSize(2);
        assertThat(runner.migrate().applied()).hasSize(2);
        runner.validate();
        assertThat(runner.status()).extracting(Migration::script).contains("V1__one.sql", "V2__two.sql");
        assertThat(Sql.query(runner.engine().dataSource(), "SELECT count(*) FROM one"))
                .isEqualTo("1");
    }

    private static boolean exists(Engine engine, String table) throws SQLException {
        try {
            Sql.query(engine.dataSource(), "SELECT count(*) FROM " + table);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void init_sql_that_writes_is_skipped_for_read_only_calls(Database database) throws Exception {
        String url = database.url(directory);
        MigrationRunner runner = on(url).configure(
                        flyway -> flyway.initSql("CREATE TABLE IF NOT EXISTS audit(name TEXT)")
                                .baselineOnMigrate(true)
                                .baselineVersion("0"));
        Engine engine = cache.engine(url);

        for (MigrationRunner looking : List.of(
                runner,
                MigrationRunner.on(engine)
                        .locations(scripts.location())
                        .configure(flyway -> flyway.initSql("CREATE TABLE audit(name TEXT)")))) {
            assertThat(looking.pending()).hasSize(2);
            assertThat(looking.status()).hasSize(2);
            looking.validate();
            assertThat(exists(engine, "audit")).isFalse();
        }
        assertThat(runner.migrate().applied()).hasSize(2);
        assertThat(exists(engine, "audit")).isTrue();
        assertThat(runner.pending()).isEmpty();
        runner.validate();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void init_sql_that_fails_for_any_other_reason_fails_the_call(Database database) throws Exception {
        String url = database.url(directory);
        cache.engine(url); // creates the file
        MigrationRunner runner = on(url).configure(flyway -> flyway.initSql("SELECT something FROM nowhere"));

        assertThatThrownBy(runner::pending)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void init_sql_does_not_create_a_missing_file_in_read_only_calls() throws Exception {
        MigrationRunner runner = on(Database.FILE.url(directory))
                .configure(flyway -> flyway.initSql("CREATE TABLE audit(name TEXT); SELECT 1"));

        assertThat(runner.pending()).hasSize(2);
        assertThat(directory.resolve("test.db")).doesNotExist();
    }

    @Test
    void a_new_enum_value_requires_a_transaction_for_each_script() throws Exception {
        String url = Database.POSTGRESQL.newUrl(directory);
        scripts.script("V3__mood.sql", "CREATE TYPE mood AS ENUM ('sad'); CREATE TABLE person(mood mood);");
        on(url).migrate();
        scripts.script("V4__happy.sql", "ALTER TYPE mood ADD VALUE 'happy';")
                .script("V5__person.sql", "INSERT INTO person VALUES ('happy');");

        assertThatThrownBy(on(url)::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("V5__person.sql, line 1, failed on jdbc:postgresql:")
                .hasMessageEndingWith(
                        "; a transaction cannot use an enum value that it has added, and all scripts of a "
                                + "run share one transaction; give each script its own with "
                                + "configure(flyway -> flyway.group(false))");

        assertThat(on(url).configure(flyway -> flyway.group(false)).migrate().applied())
                .hasSize(2);
    }

    /** On SQLite, Flyway itself rejects this placeholder. */
    @Test
    void a_repeatable_script_may_contain_the_name_of_the_database() throws Exception {
        scripts.script("R__view.sql", "CREATE VIEW name AS SELECT '${flyway:database}'");
        MigrationRunner runner = on(Database.POSTGRESQL.url(directory));

        runner.migrate();

        assertThat(Sql.query(runner.engine().dataSource(), "SELECT * FROM name"))
                .isEqualTo("postgres");
        assertThat(runner.pending()).isEmpty();
        try (MigratedTemplate template = MigratedTemplate.of(runner)) {
            template.fork().close();
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_baseline_is_recorded_even_if_no_script_is_newer(Database database) throws Exception {
        String url = database.url(directory);
        Sql.execute(on(url).engine().dataSource(), "CREATE TABLE one(name TEXT)", "CREATE TABLE two(name TEXT)");
        MigrationRunner runner =
                on(url).configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("2"));

        MigrationResult result = runner.migrate();

        assertThat(result.applied()).isEmpty();
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT)");
        assertThat(on(url).migrate().applied()).extracting(Migration::script).containsExactly("V3__three.sql");
    }

    @Test
    void threads_without_a_class_loader_use_the_one_of_the_library() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try {
            assertThat(on("sqlite:///:memory:").migrate().applied()).hasSize(2);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
