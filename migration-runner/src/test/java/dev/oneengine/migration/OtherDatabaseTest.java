package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.H2;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Migrations of H2 with a custom engine factory. Flyway supports H2; this library does not. */
@Timeout(60)
class OtherDatabaseTest {
    private final EngineCache cache = H2.cache();
    private final Engine engine = cache.engine(H2.newUrl());

    private Folder scripts;
    private MigrationRunner runner;

    @BeforeEach
    void write(@TempDir Path directory) throws IOException {
        scripts = Folder.withTwoScripts(directory);
        runner = MigrationRunner.on(engine).locations(scripts.location());
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void each_script_is_applied_once() throws SQLException {
        assertThat(runner.pending()).hasSize(2);
        List<MigrationResult> results = Race.run(4, i -> runner.migrate());

        assertThat(results)
                .allSatisfy(result -> assertThat(result.applied()).hasSize(2))
                .allSatisfy(result -> assertThat(result.version()).isEqualTo("2"));
        runner.validate();
        assertThat(runner.status())
                .allSatisfy(script -> assertThat(script.state()).isEqualTo(Migration.State.APPLIED));
        assertThat(Sql.query(engine.dataSource(), "SELECT COUNT(*) FROM one")).isEqualTo("1");
        assertThat(MigrationRunner.on(engine).locations(scripts.location()).pending())
                .isEmpty();
    }

    /** H2 commits with each CREATE TABLE, so a run cannot be one transaction. */
    @Test
    void scripts_before_a_failed_one_stay_applied() throws IOException, SQLException {
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT);\nINSERT INTO none VALUES (1);");

        assertThatThrownBy(() -> runner.migrate())
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageContainingAll("V3__three.sql, line 2", engine.url().toString());

        assertThat(Sql.query(engine.dataSource(), "SELECT COUNT(*) FROM two")).isEqualTo("1");
        assertThat(runner.pending()).extracting(Migration::script).doesNotContain("V2__two.sql");
    }

    @Test
    void a_template_of_an_unsupported_database_fails_and_names_the_supported_ones() {
        assertThatThrownBy(() -> MigratedTemplate.of(runner))
                .isInstanceOf(MigrationException.class)
                .hasMessageContainingAll(
                        "only SQLite and PostgreSQL", engine.url().toString());
    }
}
