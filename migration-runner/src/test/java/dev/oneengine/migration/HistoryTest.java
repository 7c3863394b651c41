package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneengine.cache.Engine;
import dev.oneengine.migration.Migration.State;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists all states of a history, and names the problems that prevent a run. */
class HistoryTest extends TwoScripts {
    private void repair(Engine engine) {
        Flyway.configure()
                .dataSource(engine.dataSource())
                .locations(scripts.location())
                .load()
                .repair();
    }

    /** Marks a migration as failed in the history, as a script without a transaction does. */
    private static void markAsFailed(Engine engine, String version) throws SQLException {
        String no = engine.url().kind().name().startsWith("SQLITE") ? "0" : "false";
        Sql.execute(
                engine.dataSource(),
                "UPDATE flyway_schema_history SET success = " + no + " WHERE version = '" + version + "'");
    }

    @Test
    void a_history_without_versioned_scripts_has_no_version() throws Exception {
        String url = Database.MEMORY.url(directory);
        scripts.remove("V1__one.sql").remove("V2__two.sql");
        assertThat(on(url).migrate()).isEqualTo(new MigrationResult(List.of(), null));
        scripts.script("R__again.sql", "SELECT 1;");
        assertThat(on(url).migrate().version()).isNull();
    }

    @Test
    void a_schema_created_by_flyway_is_listed() throws Exception {
        String url = Database.POSTGRESQL.newUrl(directory);
        MigrationRunner runner = on(url).configure(flyway -> flyway.schemas("app", "more"));
        runner.migrate();

        assertThat(runner.status())
                .extracting(Migration::description, Migration::state)
                .containsExactly(
                        tuple("<< Flyway Schema Creation >>", State.APPLIED),
                        tuple("one", State.APPLIED),
                        tuple("two", State.APPLIED));
        assertThat(runner.pending()).isEmpty();
        runner.validate();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void migrations_deleted_by_a_repair_are_listed(Database database) throws Exception {
        String url = database.url(directory);
        scripts.script("R__again.sql", "INSERT INTO two VALUES ('again');").script("R__other.sql", "SELECT 1;");
        MigrationRunner runner = on(url);
        runner.migrate();
        scripts.remove("V1__one.sql").remove("R__again.sql");
        repair(cache.engine(url));

        assertThat(runner.status())
                .containsExactly(
                        new Migration("1", "one", "V1__one.sql", State.SKIPPED),
                        new Migration("2", "two", "V2__two.sql", State.APPLIED),
                        new Migration(null, "again", "R__again.sql", State.SKIPPED),
                        new Migration(null, "other", "R__other.sql", State.APPLIED));
        runner.validate();
        assertThat(runner.migrate().applied()).isEmpty();

        scripts.script("R__again.sql", "INSERT INTO two VALUES ('back');");
        assertThat(runner.migrate().applied()).hasSize(1);
        assertThat(runner.status())
                .extracting(Migration::script, Migration::state)
                .containsExactly(
                        tuple("V1__one.sql", State.SKIPPED),
                        tuple("V2__two.sql", State.APPLIED),
                        tuple("R__again.sql", State.SKIPPED),
                        tuple("R__other.sql", State.APPLIED),
                        tuple("R__again.sql", State.APPLIED));
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void migrations_of_a_newer_release_are_listed(Database database) throws Exception {
        String url = database.url(directory);
        scripts.script("R__again.sql", "INSERT INTO two VALUES ('again');");
        on(url).migrate();
        scripts.remove("V2__two.sql").remove("R__again.sql");
        MigrationRunner lenient =
                on(url).configure(flyway -> flyway.ignoreMigrationPatterns("*:future", "repeatable:missing"));

        assertThat(lenient.status())
                .extracting(Migration::script, Migration::state)
                .containsExactly(
                        tuple("V1__one.sql", State.APPLIED),
                        tuple("V2__two.sql", State.NEWER),
                        tuple("R__again.sql", State.MISSING));
        lenient.validate();
        lenient.migrate();
    }

    @Test
    void only_the_pattern_for_future_migrations_ignores_a_failed_newer_migration() throws Exception {
        String url = Database.MEMORY.url(directory);
        on(url).migrate();
        markAsFailed(cache.engine(url), "2");
        scripts.remove("V2__two.sql");
        MigrationRunner unvalidated = on(url).configure(flyway -> flyway.validateOnMigrate(false));

        assertThat(unvalidated
                        .configure(flyway -> flyway.ignoreMigrationPatterns("*:future"))
                        .migrate()
                        .applied())
                .isEmpty();
        assertThatThrownBy(unvalidated.configure(flyway -> flyway.ignoreMigrationPatterns("*:missing"))::migrate)
                .isInstanceOf(MigrationHistoryException.class)
                .hasMessageContaining("V2__two.sql failed earlier");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void validate_on_migrate_false_also_applies_without_pending_scripts(Database database) throws Exception {
        String url = database.url(directory);
        on(url).migrate();
        scripts.script("V1__one.sql", "CREATE TABLE other(name TEXT);");
        MigrationRunner lenient = on(url).configure(flyway -> flyway.validateOnMigrate(false));

        assertThat(lenient.migrate().applied()).isEmpty();
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT);");
        assertThat(lenient.migrate().applied()).hasSize(1);

        assertThatThrownBy(lenient::validate)
                .isInstanceOf(MigrationHistoryException.class)
                .hasMessageContaining("V1__one.sql was changed");
        assertThatThrownBy(on(url)::migrate).isInstanceOf(MigrationHistoryException.class);
    }

    private enum Beside {
        NOTHING,
        A_CHANGE,
        A_PENDING_SCRIPT,
        A_MISSING_SCRIPT,
        A_MISSING_SCRIPT_OF_ITS_OWN,
        AN_EARLIER_DELETION
    }

    private void prepare(Beside beside, String url) throws IOException {
        switch (beside) {
            case NOTHING -> {}
            case A_CHANGE -> scripts.script("V2__two.sql", "SELECT 2;").script("V1__one.sql", "SELECT 1;");
            case A_PENDING_SCRIPT -> scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT);");
            case A_MISSING_SCRIPT -> scripts.remove("V1__one.sql");
            case A_MISSING_SCRIPT_OF_ITS_OWN -> scripts.remove("V2__two.sql");
            case AN_EARLIER_DELETION -> {
                String two = "CREATE TABLE IF NOT EXISTS two(name TEXT);";
                scripts.remove("V2__two.sql").script("V3__three.sql", "CREATE TABLE three(name TEXT);");
                on(url).configure(flyway -> flyway.validateOnMigrate(false)).migrate();
                repair(cache.engine(url));
                scripts.script("V2__two.sql", two);
                on(url).configure(flyway -> flyway.outOfOrder(true)).migrate();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Beside.class)
    void a_failed_migration_is_listed_beside_another_problem(Beside beside) throws Exception {
        for (Database database : Database.values()) {
            scripts = Folder.withTwoScripts(directory.resolve(database.name()));
            String url = database.newUrl(directory);
            on(url).migrate();
            prepare(beside, url);
            markAsFailed(cache.engine(url), "2");
            if (beside == Beside.AN_EARLIER_DELETION) {
                Sql.execute(
                        cache.engine(url).dataSource(),
                        "UPDATE flyway_schema_history SET success = (installed_rank <> (SELECT max(installed_rank)"
                                + " FROM flyway_schema_history WHERE version = '2'))");
            }
            MigrationRunner strict =
                    on(url).placeholder("not", "done before").configure(flyway -> flyway.outOfOrder(true));

            assertThat(strict.status())
                    .filteredOn(migration -> migration.script().equals("V2__two.sql"))
                    .last()
                    .extracting(Migration::state)
                    .isEqualTo(State.FAILED);
            for (MigrationRunner runner :
                    List.of(strict, strict.configure(flyway -> flyway.validateOnMigrate(false)))) {
                assertThatThrownBy(runner::migrate)
                        .isInstanceOf(MigrationHistoryException.class)
                        .hasMessageContaining("V2__two.sql failed earlier, and the database could not roll it back");
                assertThatThrownBy(runner::validate)
                        .isInstanceOf(MigrationHistoryException.class)
                        .hasMessageContaining("V2__two.sql failed earlier");
            }
        }
    }
}
