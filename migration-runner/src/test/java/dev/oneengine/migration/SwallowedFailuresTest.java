package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Java code swallows the failure of a statement, so PostgreSQL answers the commit with a rollback. */
class SwallowedFailuresTest {
    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private String url;
    private Folder scripts;

    @BeforeEach
    void create() throws Exception {
        url = Database.POSTGRESQL.newUrl(directory);
        scripts = Folder.withTwoScripts(directory);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private MigrationRunner runner() {
        return MigrationRunner.on(url).cache(cache).locations(scripts.location());
    }

    private static void swallow(Connection connection) {
        try {
            Sql.execute(connection, "INSERT INTO nowhere VALUES (1)");
        } catch (SQLException e) {
            // swallowed on purpose
        }
    }

    /** Does some work and swallows a failure. */
    public static final class V3__Swallows extends BaseJavaMigration {
        @Override
        public void migrate(org.flywaydb.core.api.migration.Context context) throws Exception {
            Sql.execute(context.getConnection(), "CREATE TABLE three(name TEXT)");
            swallow(context.getConnection());
        }
    }

    /** Rolls back the failed statement. */
    public static final class V3__Recovers extends BaseJavaMigration {
        @Override
        public void migrate(org.flywaydb.core.api.migration.Context context) throws Exception {
            Sql.execute(context.getConnection(), "CREATE TABLE three(name TEXT)");
            Savepoint before = context.getConnection().setSavepoint();
            swallow(context.getConnection());
            context.getConnection().rollback(before);
        }
    }

    /** A callback that swallows a failure, outside of all migrations. */
    private static final class Swallowing extends BaseCallback {
        private final Event event;

        Swallowing(Event event) {
            this.event = event;
        }

        @Override
        public boolean supports(Event asked, Context context) {
            return asked == event;
        }

        @Override
        public void handle(Event handled, Context context) {
            swallow(context.getConnection());
        }
    }

    private static Named<UnaryOperator<FluentConfiguration>> swallowing(Event event) {
        return Named.of(event.name(), flyway -> flyway.callbacks(new Swallowing(event)));
    }

    static Stream<Arguments> swallowing() {
        return Stream.of(true, false)
                .flatMap(group -> Stream.of(
                                Named.<UnaryOperator<FluentConfiguration>>of(
                                        "a migration", flyway -> flyway.javaMigrations(new V3__Swallows())),
                                swallowing(Event.BEFORE_EACH_MIGRATE),
                                swallowing(Event.AFTER_EACH_MIGRATE),
                                swallowing(Event.AFTER_MIGRATE),
                                swallowing(Event.AFTER_MIGRATE_OPERATION_FINISH))
                        .map(customiser -> Arguments.of(group, customiser)))
                // Leaves out the last case: that callback has no transaction, so the server rolls back only its
                // statement.
                .limit(9);
    }

    @ParameterizedTest
    @MethodSource("swallowing")
    void a_rolled_back_run_is_not_reported_as_applied(boolean group, UnaryOperator<FluentConfiguration> customiser)
            throws SQLException {
        MigrationRunner runner = runner().configure(flyway -> customiser.apply(flyway.group(group)));

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("failure was swallowed")
                .hasMessageContaining("nowhere")
                .hasMessageContaining("savepoint");

        List<String> applied = runner.status().stream()
                .filter(migration -> migration.state() != Migration.State.PENDING)
                .map(Migration::version)
                .toList();
        List<String> tables = List.of(Sql.query(
                        cache.engine(url).dataSource(),
                        "SELECT coalesce(string_agg(tablename, ','), '') FROM pg_tables"
                                + " WHERE tablename IN ('one', 'two', 'three')")
                .split(",", -1));
        assertThat(tables.contains("three")).isEqualTo(applied.contains("3"));
        assertThat(tables.contains("two")).isEqualTo(applied.contains("2"));
        assertThat(tables.contains("one")).isEqualTo(applied.contains("1"));
        if (group) {
            assertThat(applied).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_failure_rolled_back_to_a_savepoint_may_be_swallowed(boolean group) throws SQLException {
        assertThat(runner().configure(flyway -> flyway.group(group).javaMigrations(new V3__Recovers()))
                        .migrate()
                        .applied())
                .hasSize(3);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT count(*) FROM three"))
                .isEqualTo("0");
    }
}
