package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.migration.Migration.State;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rebuilding a table deletes no row of another table and leaves no broken reference. */
class SqliteForeignKeysTest {
    private static final String TABLES = """
            CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE book(title TEXT PRIMARY KEY, author_id INTEGER REFERENCES author ON DELETE CASCADE);
            INSERT INTO author VALUES (1, 'Ann'), (2, 'Bob');
            INSERT INTO book VALUES ('A', 1), ('B', 2);
            """;

    private static final String REBUILD = """
            CREATE TABLE new_author(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO new_author SELECT id, name FROM author;
            DROP TABLE author;
            ALTER TABLE new_author RENAME TO author;
            """;

    private static final String URL = "sqlite:///:memory:";

    @TempDir
    Path directory;

    private EngineCache cache;
    private Folder scripts;

    @BeforeEach
    void open() throws IOException {
        cache = EngineCache.create();
        scripts = Folder.empty(directory).script("V1__tables.sql", TABLES);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private MigrationRunner on(String url) {
        return MigrationRunner.on(url).cache(cache).locations(scripts.location());
    }

    private static MigrationRunner inSeparateTransactions(MigrationRunner runner) {
        return runner.configure(flyway -> flyway.group(false));
    }

    private static void assertBooksAreThere(DataSource dataSource) throws SQLException {
        assertThat(Sql.query(dataSource, "SELECT group_concat(title) FROM book"))
                .isEqualTo("A,B");
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            for (Connection connection : List.of(first, second)) {
                connection.setAutoCommit(true);
                assertThat(Sql.query(connection, "PRAGMA foreign_keys")).isEqualTo("1");
                assertThatThrownBy(() -> Sql.execute(connection, "INSERT INTO book VALUES ('C', 9)"))
                        .hasMessageContaining("FOREIGN KEY constraint failed");
            }
        }
    }

    /** Rebuilds a table. */
    public static final class V2__Rebuild extends BaseJavaMigration {
        @Override
        public void migrate(Context context) throws Exception {
            Sql.execute(context.getConnection(), REBUILD.lines().toArray(String[]::new));
        }
    }

    private enum Way {
        SCRIPT,
        SCRIPT_IN_SEPARATE_TRANSACTION,
        SCRIPT_WITHOUT_TRANSACTION,
        SCRIPT_AFTER_A_SCRIPT_THAT_ENFORCES,
        CALLBACK,
        CALLBACK_IN_SEPARATE_TRANSACTION,
        JAVA,
        JAVA_IN_SEPARATE_TRANSACTION
    }

    /** Writes scripts that rebuild the author table, and returns a runner for them. */
    private MigrationRunner rebuilding(Way way, MigrationRunner runner) throws IOException {
        switch (way) {
            case SCRIPT, SCRIPT_IN_SEPARATE_TRANSACTION -> scripts.script("V2__rebuild.sql", REBUILD);
            case SCRIPT_WITHOUT_TRANSACTION ->
                scripts.script("V2__rebuild.sql", REBUILD).script("V2__rebuild.sql.conf", "executeInTransaction=false");
            case SCRIPT_AFTER_A_SCRIPT_THAT_ENFORCES ->
                scripts.script("V2__on.sql", "PRAGMA foreign_keys = ON").script("V3__rebuild.sql", REBUILD);
            case CALLBACK, CALLBACK_IN_SEPARATE_TRANSACTION ->
                scripts.script("V2__more.sql", "CREATE TABLE more(name TEXT)").script("afterMigrate.sql", REBUILD);
            case JAVA, JAVA_IN_SEPARATE_TRANSACTION -> {
                return runner.configure(flyway -> flyway.javaMigrations(new V2__Rebuild()));
            }
        }
        return runner;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void rebuilding_a_table_keeps_the_rows_that_reference_it(Way way) throws Exception {
        for (Database database : List.of(Database.MEMORY, Database.FILE)) {
            String url = database.url(directory);
            scripts = Folder.empty(directory.resolve(database.name())).script("V1__tables.sql", TABLES);
            on(url).migrate();

            MigrationRunner runner = rebuilding(way, on(url));
            (way.name().endsWith("SEPARATE_TRANSACTION") ? inSeparateTransactions(runner) : runner).migrate();

            assertBooksAreThere(cache.engine(url).dataSource());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void connections_of_another_pool_enforce_foreign_keys_again_after_a_run(Way way) throws Exception {
        EngineSettings two = EngineSettings.builder().poolSize(2).build();
        try (EngineCache own = EngineCache.create(UnknownPool::open, two)) {
            String url = Database.FILE.url(directory);
            on(url).cache(own).migrate();

            MigrationRunner runner = rebuilding(way, on(url).cache(own));
            (way.name().endsWith("SEPARATE_TRANSACTION") ? inSeparateTransactions(runner) : runner).migrate();

            assertBooksAreThere(own.engine(url).dataSource());
        }
    }

    /** SQLite ignores the pragma within a transaction. */
    @Test
    void foreign_keys_that_an_open_transaction_keeps_enforced_fail_the_first_statement() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Sql.execute(connection, "PRAGMA foreign_keys = ON", "BEGIN");
            Connection view = SqliteForeignKeys.suspendedOn(connection);

            assertThatThrownBy(() -> Sql.execute(view, "SELECT 1"))
                    .hasMessage(
                            "SQLite did not switch the enforcement of foreign keys off; end the open transaction first");
        }
    }

    /** Flyway sets the auto-commit mode of a connection before its first statement. */
    @Test
    void the_first_statement_suspends_foreign_keys_and_the_next_transaction_checks_them() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Sql.execute(connection, "PRAGMA foreign_keys = ON");
            Sql.execute(connection, TABLES.lines().toArray(String[]::new));
            Connection view = SqliteForeignKeys.suspendedOn(connection);
            Sql.execute(view, "DELETE FROM author WHERE id = 1");

            assertThat(Sql.query(view, "SELECT count(*) FROM book")).isEqualTo("2");
            assertThatThrownBy(() -> view.setAutoCommit(false)).hasMessageContaining("refers to no row of author");
        }
    }

    /** With auto-commit off, the driver begins a transaction at once, and again after each commit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connections_with_auto_commit_off_are_supported(boolean inOneTransaction) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Database.FILE.url(directory));
        config.addDataSourceProperty("foreign_keys", "true");
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        try (EngineCache own =
                EngineCache.create((url, settings) -> new HikariSource(config), EngineSettings.defaults())) {
            MigrationRunner runner =
                    on(config.getJdbcUrl()).cache(own).configure(flyway -> flyway.group(inOneTransaction));
            runner.migrate();
            scripts.script("V2__rebuild.sql", REBUILD);

            runner.migrate();

            assertBooksAreThere(own.engine(config.getJdbcUrl()).dataSource());
        }
    }

    /** A caller's own pool on the driver of SQLite. */
    private record HikariSource(HikariDataSource dataSource) implements EngineSource {
        HikariSource(HikariConfig config) {
            this(new HikariDataSource(config));
        }

        @Override
        public void close() {
            dataSource.close();
        }
    }

    private static String rows(Engine engine) throws SQLException {
        return Sql.query(engine.dataSource(), "SELECT (SELECT count(*) FROM author) || (SELECT count(*) FROM book)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rows_with_broken_references_fail_the_run_and_are_named(boolean inOneTransaction) throws Exception {
        MigrationRunner runner = on(URL).configure(flyway -> flyway.group(inOneTransaction));
        runner.migrate();
        scripts.script("V2__fine.sql", "INSERT INTO author VALUES (3, 'Cleo');")
                .script("V3__delete.sql", "DELETE FROM author WHERE id < 3;");

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessage("Cannot migrate jdbc:sqlite::memory:: its migrations break foreign keys: row 1 of book "
                        + "(author_id = 1) refers to no row of author; row 2 of book (author_id = 2) refers to no row of "
                        + "author. Migrations run without enforcement of foreign keys, so a deleted row deletes no "
                        + "other row; let the scripts correct or delete these rows, too");

        assertThat(rows(cache.engine(URL))).isEqualTo(inOneTransaction ? "22" : "32");
        assertThat(runner.pending())
                .extracting(Migration::script)
                .containsExactlyElementsOf(
                        inOneTransaction ? List.of("V2__fine.sql", "V3__delete.sql") : List.of("V3__delete.sql"));
        scripts.script("V3__delete.sql", "DELETE FROM author WHERE id < 3; DELETE FROM book;");
        runner.migrate();
        assertThat(rows(cache.engine(URL))).isEqualTo("10");
    }

    @Test
    void a_script_without_a_transaction_that_leaves_broken_references_is_marked_as_failed() throws Exception {
        on(URL).migrate();
        scripts.script("V2__delete.sql", "DELETE FROM author WHERE id = 1;")
                .script("V2__delete.sql.conf", "executeInTransaction=false")
                .script("V3__more.sql", "CREATE TABLE more(name TEXT);");

        assertThatThrownBy(on(URL)::migrate)
                .isInstanceOf(MigrationScriptException.class)
                .hasMessageStartingWith(
                        "V2__delete.sql failed on jdbc:sqlite::memory:: its migrations break foreign keys")
                .hasMessageContaining("row 1 of book (author_id = 1) refers to no row of author. ");

        assertThat(on(URL).status())
                .extracting(Migration::state)
                .containsExactly(State.APPLIED, State.FAILED, State.PENDING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void broken_references_from_before_the_run_do_not_fail_the_run(boolean inOneTransaction) throws Exception {
        String url = Database.FILE.url(directory);
        MigrationRunner runner = on(url).configure(flyway -> flyway.group(inOneTransaction));
        runner.migrate();
        try (Connection other = DriverManager.getConnection(url)) {
            Sql.execute(other, "DELETE FROM book WHERE title = 'A'", "INSERT INTO book VALUES ('X', 8), ('Y', 9)");
        }
        // The copy has the rows in another order, so their row ids differ.
        scripts.script("V2__rebuild.sql", """
                CREATE TABLE copy(title TEXT, author_id TEXT REFERENCES author);
                INSERT INTO copy SELECT * FROM book ORDER BY title DESC;
                DROP TABLE book;
                ALTER TABLE copy RENAME TO book;
                """);

        runner.migrate();
        scripts.script("V3__more.sql", "INSERT INTO book VALUES ('Z', 9);");

        assertThatThrownBy(runner::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("foreign keys: row 4 of book (author_id = 9) refers to no row of author. ");
    }

    @Test
    void broken_references_in_tables_without_row_ids_are_counted() throws Exception {
        String url = Database.FILE.url(directory);
        scripts.script("V2__table.sql", "CREATE TABLE \"a \"\"b'\"(id REFERENCES author PRIMARY KEY) WITHOUT ROWID;");
        on(url).migrate();
        try (Connection other = DriverManager.getConnection(url)) {
            Sql.execute(other, "INSERT INTO \"a \"\"b'\" VALUES (8)");
        }
        scripts.script("V3__none.sql", "SELECT 1;");
        on(url).migrate();
        scripts.script("V4__more.sql", "INSERT INTO \"a \"\"b'\" VALUES (9);");

        assertThatThrownBy(on(url)::migrate)
                .hasMessageContaining("foreign keys: a row of a \"b' refers to no row of author. ");
    }

    @Test
    void a_reference_to_columns_without_a_unique_key_is_named() throws Exception {
        scripts.script("V2__table.sql", "CREATE TABLE note(author REFERENCES author(name));");

        assertThatThrownBy(on(URL)::migrate)
                .hasMessageContaining("foreign key mismatch - \"note\" referencing \"author\"");

        scripts.script(
                "V2__table.sql",
                "CREATE TABLE note(author REFERENCES author(name)); CREATE UNIQUE INDEX i ON author(name);");
        assertThat(on(URL).migrate().applied()).hasSize(2);
    }

    @Test
    void a_long_list_of_broken_references_is_shortened() throws Exception {
        scripts.script(
                "V2__many.sql",
                "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 129)"
                        + " INSERT INTO book SELECT 't' || i, i FROM n;");

        assertThatThrownBy(on(URL)::migrate)
                .hasMessageContaining("author_id = 119")
                .hasMessageContaining("; and 10 more. Migrations")
                .message()
                .doesNotContain("author_id = 120");
    }

    @Test
    void a_database_that_enforces_no_foreign_keys_is_not_checked() throws Exception {
        scripts.script("V2__delete.sql", "DELETE FROM author;");
        EngineSettings lenient = EngineSettings.builder().foreignKeys(false).build();

        assertThat(on(URL).settings(lenient).migrate().applied()).hasSize(2);
        assertThat(on(Database.FILE.url(directory) + "?foreign_keys=false")
                        .migrate()
                        .applied())
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_rowid_ TEXT", "_ROWID_ TEXT, rowid TEXT", "_rowid_ TEXT, rowid TEXT, oid TEXT"})
    void a_row_is_named_even_if_columns_have_the_names_of_the_row_id(String columns) throws Exception {
        scripts.script(
                "V2__odd.sql",
                "CREATE TABLE odd(author_id INTEGER REFERENCES author, " + columns + ");\n"
                        + "INSERT INTO odd(author_id) VALUES (7);");

        assertThatThrownBy(on(URL)::migrate)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("its migrations break foreign keys: ")
                .hasMessageContaining(columns.contains("oid") ? "a row of odd refers" : "row 1 of odd (author_id = 7)");
    }
}
