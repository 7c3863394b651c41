package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.DocumentedCode;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentedCodeTest {
    @TempDir
    Path directory;

    private record Application(List<DataSource> used) {
        void run(DataSource dataSource) throws SQLException {
            assertThat(Sql.query(dataSource, "SELECT name FROM plan")).isEqualTo("the first");
            used.add(dataSource);
        }
    }

    @Test
    void the_migration_code_in_the_module_readme_works() throws SQLException {
        String url = "jdbc:sqlite:" + directory.resolve("app.db");
        try {
            MigrationRunner runner = MigrationRunner.on(url).locations("classpath:db/migration");
            runner.migrate(); // threads and processes that call this at the same time run each script once

            UnitOfWork work = UnitOfWork.builder(url)
                    .prepare(runner.preparation()) // alternatively, the first unit of work migrates
                    .build();

            String name = work.read(tx -> Sql.query(tx.connection(), "SELECT name FROM plan"));
            assertThat(name).isEqualTo("the first");
        } finally {
            EngineCache.shared().evict(url);
        }
    }

    @Test
    void the_fork_code_in_the_module_readme_works() throws SQLException {
        Application application = new Application(new ArrayList<>());
        try (MigratedTemplate template = MigratedTemplate.of(MigrationRunner.on("sqlite:///:memory:"));
                Engine fork = template.fork()) {
            application.run(fork.dataSource());
        }
        assertThat(application.used()).hasSize(1);
    }

    @Test
    void all_code_in_the_documents_is_tested() {
        assertThat(DocumentedCode.missing(Path.of("README.md"), Path.of("src/test/java")))
                .isEmpty();
    }
}
