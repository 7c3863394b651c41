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
import org.junit.jupiter.params.provider.ValueSource;

class DocumentedCodeTest {
    @Test
    void the_readme_shows_what_works() throws SQLException {
        Engine engine = EngineCache.shared().engine("sqlite:///:memory:"); // in every thread the same
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.createStatement().execute("CREATE TABLE plan(id INTEGER PRIMARY KEY)"); // and all of them see it
        }

        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM plan")).isEqualTo("0");
        engine.close();
    }

    @Test
    void the_readme_of_the_module_shows_what_works() throws SQLException {
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

    @ParameterizedTest
    @ValueSource(strings = {"../README.md", "README.md"})
    void all_code_in_the_documents_is_tested(String document) {
        assertThat(DocumentedCode.missing(Path.of(document), Path.of("src/test/java")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void links_lead_somewhere(Path document) {
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
    void a_link_that_leads_nowhere_is_found(@TempDir Path folder) throws IOException {
        Path document = folder.resolve("a.md");
        Files.writeString(
                document,
                "[one](b.md), [two](a.md#title), [three](https://example.org/b.md), [four](a.md), [five](c/)");
        assertThat(DocumentedLinks.dead(document)).containsExactly("b.md", "c/");
    }
}
