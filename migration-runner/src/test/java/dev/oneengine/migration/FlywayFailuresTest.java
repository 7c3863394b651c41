package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.internal.resource.StringResource;
import org.flywaydb.core.internal.sqlscript.Delimiter;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;
import org.flywaydb.core.internal.sqlscript.ParsedSqlStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class FlywayFailuresTest extends TwoScripts {
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

    /** COPY of the driver fails with a reason that Flyway hides. */
    @Test
    void a_row_that_the_server_rejects_is_described() throws Exception {
        scripts.script("V3__copy.sql", """
                CREATE TABLE number(n INT);
                COPY number(n) FROM stdin;
                1
                two
                \\.
                """);

        assertThatThrownBy(on(Database.POSTGRESQL.url(directory))::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith("V3__copy.sql, line 2, failed on jdbc:postgresql:")
                .hasMessageContaining("invalid input syntax for type integer: \"two\"")
                .hasCauseInstanceOf(PSQLException.class);
    }

    /** Flyway creates the table with a script that has no name, and retries for nine seconds. */
    @Test
    void a_history_that_cannot_be_created_is_named() {
        FlywaySqlScriptException failure = new FlywaySqlScriptException(
                new StringResource(""),
                new ParsedSqlStatement(0, 1, 1, "CREATE TABLE history(...)", Delimiter.SEMICOLON, true, false),
                new SQLException("permission denied for schema public"),
                "default");

        assertThat(FlywayFailures.of(URL, failure, null))
                .isExactlyInstanceOf(MigrationException.class)
                .hasMessageEndingWith("cannot create the table of the history: permission denied for schema public;"
                        + " allow this user to create tables there");
    }

    @Test
    void a_lock_that_a_script_waits_for_in_vain_gets_a_remedy() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        scripts.script("V3__lock.sql", "LOCK TABLE theirs");
        try (Connection other = cache.engine(url).dataSource().getConnection()) {
            Sql.execute(other, "CREATE TABLE theirs(name TEXT)");
            other.setAutoCommit(false);
            Sql.execute(other, "LOCK TABLE theirs");
            MigrationRunner runner = on(url).lockTimeout(Duration.ofMillis(1))
                    .configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("0"));

            assertThatThrownBy(runner::migrate)
                    .isInstanceOf(MigrationScriptException.class)
                    .hasMessageStartingWith("V3__lock.sql, line 1, failed on")
                    .hasMessageEndingWith("end it or allow a longer lockTimeout");
            other.rollback();
        }
    }

    @Test
    void an_interrupt_while_scripts_are_read_is_no_failure_of_the_scripts() throws Exception {
        MigrationRunner runner = on("sqlite:///:memory:");
        on("jdbc:sqlite:file:first?mode=memory").migrate(); // the first use of the driver loses an interrupt

        for (ThrowingCallable call : List.<ThrowingCallable>of(runner::migrate, runner::status)) {
            Thread.currentThread().interrupt();
            Throwable failure = catchThrowable(call);
            boolean interrupted = Thread.interrupted();

            assertThat(failure)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("the thread was interrupted");
            assertThat(interrupted).isTrue();
        }
        assertThat(runner.migrate().applied()).hasSize(2);
    }

    @Test
    void a_file_with_a_log_in_a_read_only_directory_gets_a_remedy() {
        SQLiteException failure =
                new SQLiteException("[SQLITE_READONLY_DIRECTORY] log", SQLiteErrorCode.SQLITE_READONLY_DIRECTORY);

        assertThat(FlywayFailures.ofReading(DatabaseUrl.parse("jdbc:sqlite:app.db"), failure))
                .hasMessageContaining("its directory is read-only")
                .hasMessageEndingWith("open it with file: and ?immutable=1 ([SQLITE_READONLY_DIRECTORY] log)");
    }
}
