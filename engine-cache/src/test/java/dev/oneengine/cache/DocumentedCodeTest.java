package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.DocumentedCode;
import dev.oneengine.testing.DocumentedLinks;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentedCodeTest {
    @Test
    void the_code_in_the_module_readme_works() throws SQLException {
        Application application = dataSource ->
                assertThat(Sql.query(dataSource, "SELECT count(*) FROM plan")).isEqualTo("0");
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine("sqlite:///:memory:");
            engine.prepare(Preparation.of("schema", e -> {
                try (Connection connection = e.dataSource().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE TABLE plan(id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
                }
            }));
            application.run(engine.dataSource()); // JDBC, Jdbi, jOOQ, Spring, Hibernate
        }
    }

    private interface Application {
        void run(DataSource dataSource) throws SQLException;
    }

    @Test
    void all_code_in_the_readme_is_tested() {
        assertThat(DocumentedCode.missing(Path.of("README.md"), Path.of("src/test/java")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_link_has_a_target(Path document) {
        assertThat(DocumentedLinks.dead(document)).isEmpty();
    }

    static Stream<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : List.of(
                "..",
                "../docs",
                "../gradle/from-maven",
                ".",
                "../unit-of-work",
                "../migration-runner",
                "../bdd-tests")) {
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents.stream();
    }

    @Test
    void a_dead_link_is_detected(@TempDir Path folder) throws IOException {
        Path document = folder.resolve("a.md");
        Files.writeString(
                document,
                "# The `title`, REQUIRES_NEW\n[one](b.md), [two](a.md#the-title-requires_new),"
                        + " [three](https://example.org/b.md), [four](a.md), [five](c/), [six](#other), <img src=\"d.svg\">");
        assertThat(DocumentedLinks.dead(document)).containsExactly("b.md", "c/", "#other", "d.svg");
    }
}
