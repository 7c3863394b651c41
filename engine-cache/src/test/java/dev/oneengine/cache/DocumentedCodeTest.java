package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.DocumentedCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentedCodeTest {
    @Test
    void the_readme_shows_what_works() {
        DatabaseUrl url = DatabaseUrl.parse("sqlite:///:memory:");
        boolean sameDatabase = url.equals(DatabaseUrl.parse("jdbc:sqlite::memory:"));

        assertThat(sameDatabase).isTrue();
    }

    @Test
    void all_code_in_the_readme_is_tested() {
        assertThat(DocumentedCode.missing(Path.of("../README.md"), Path.of("src/test/java")))
                .isEmpty();
    }
}
