package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.DatabaseUrl;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlywayFailuresTest {
    private static final DatabaseUrl URL = DatabaseUrl.parse("postgresql://user:secret@localhost/db");

    /** Flyway's two messages for a missing module of a database. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "No database found to handle jdbc:postgresql://localhost/db",
                "Unsupported Database: PostgreSQL 14.22"
            })
    void a_missing_module_of_flyway_is_named(String said) {
        assertThat(FlywayFailures.of(URL, new FlywayException(said), null))
                .hasMessageContaining("add its module")
                .hasMessageContaining("org.flywaydb:flyway-database-postgresql")
                .hasMessageStartingWith("Cannot migrate jdbc:postgresql://user:")
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"Two~-----~lines|Two lines", "Said: Run Flyway with -X option to see more~all|all", "~one~|one"})
    void the_decoration_of_flyway_is_removed_from_a_message(String said, String shown) {
        assertThat(FlywayFailures.message(said.replace('~', '\n'))).isEqualTo(shown);
    }

    @org.junit.jupiter.api.Test
    void an_exception_without_a_message_is_described_by_its_class() {
        assertThat(FlywayFailures.of(URL, new FlywayException(), null))
                .hasMessageEndingWith("org.flywaydb.core.api.FlywayException");
    }
}
