package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.DocumentedCode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and the recipes show code that the tool tests run, and the index knows every page. */
class DocumentedRecipesTest {
    @ParameterizedTest
    @ValueSource(strings = {"../README.md", "../docs/recipes.md"})
    void all_code_is_tested_with_real_tools(String document) {
        assertThat(DocumentedCode.missing(Path.of(document), Path.of("src/toolTest/java")))
                .isEmpty();
    }

    @Test
    void the_index_links_every_page() throws IOException {
        String index = Files.readString(Path.of("../docs/README.md"));
        try (Stream<Path> pages = Files.list(Path.of("../docs"))) {
            assertThat(pages.map(page -> page.getFileName().toString()))
                    .filteredOn(page -> page.endsWith(".md") && !page.equals("README.md"))
                    .allMatch(page -> index.contains("](" + page));
        }
    }

    @Test
    void the_readmes_name_the_tested_version_of_junit() throws IOException {
        String junit = Files.readAllLines(Path.of("../gradle/libs.versions.toml")).stream()
                .filter(line -> line.startsWith("junit = "))
                .map(line -> line.split("\"", -1)[1])
                .findFirst()
                .orElseThrow();

        assertThat(List.of("../README.md", "README.md"))
                .allSatisfy(readme -> assertThat(Path.of(readme))
                        .content()
                        .contains("<artifactId>junit-bom</artifactId><version>" + junit + "</version>"));
    }

    @Test
    void the_readme_names_the_current_version() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of("../gradle.properties"))) {
            properties.load(reader);
        }
        String version = properties.getProperty("version");

        assertThat(Path.of("../README.md"))
                .content()
                .contains("dev.oneengine:unit-of-work:" + version + "'")
                .contains("<artifactId>unit-of-work</artifactId><version>" + version + "</version>");
    }
}
