package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import dev.oneengine.testing.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Runs generated SQL on the real databases: SQL that passes the guard neither ends nor switches the transaction. */
class TransactionSqlProperties {
    private static final int TRIES = 1_000;

    private static SqliteOracle sqlite;
    private static PostgresOracle postgres;

    @BeforeContainer
    static void open() throws SQLException, IOException {
        sqlite = new SqliteOracle();
        postgres = new PostgresOracle();
    }

    @AfterContainer
    static void close() throws SQLException {
        sqlite.close();
        postgres.close();
    }

    /** Names that are also keywords, quoted or not. */
    private static Arbitrary<String> names(String... quotes) {
        return Combinators.combine(
                        Arbitraries.of(
                                "begin",
                                "End",
                                "commit",
                                "TO",
                                "rollback",
                                "atomic",
                                "transaction",
                                "x",
                                "set",
                                "pragma",
                                "query_only",
                                "trigger"),
                        Arbitraries.of(quotes))
                .as((name, quote) -> quote.isEmpty() ? name : quote.charAt(0) + name + quote.charAt(1));
    }

    /** Blanks and comments, which the database skips. */
    private static Arbitrary<String> blanks(String... more) {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.just(" ")),
                Tuple.of(
                        2,
                        Arbitraries.of(
                                List.of("\n", "\t ", " /* ; COMMIT */ ", " -- ; COMMIT '\n", " /* ' */ ", "/**/ "))),
                Tuple.of(1, Arbitraries.of(more)));
    }

    /** Fills a template: each {@code @} becomes a name, and each space any blank. */
    private static Arbitrary<String> filled(
            Arbitrary<String> templates, Arbitrary<String> names, Arbitrary<String> blanks) {
        return Combinators.combine(
                        templates, names.list().ofSize(4), blanks.list().ofSize(24))
                .as((template, chosen, between) -> {
                    StringBuilder sql = new StringBuilder();
                    int name = 0;
                    int blank = 0;
                    for (int i = 0; i < template.length(); i++) {
                        char c = template.charAt(i);
                        switch (c) {
                            case '@' -> sql.append(chosen.get(name++ % 4));
                            case ' ' -> sql.append(between.get(blank++ % 24));
                            default -> sql.append(c);
                        }
                    }
                    return sql.toString();
                });
    }

    private static Arbitrary<List<String>> scripts(Arbitrary<String> statements) {
        return statements.list().ofMinSize(1).ofMaxSize(4);
    }

    // SQLite

    private static final List<String> LEGAL_IN_SQLITE = List.of(
            "SELECT 1",
            "VALUES ( ';COMMIT' )",
            "CREATE TABLE @ ( @ INTEGER , y )",
            "CREATE INDEX @ ON item ( name )",
            "CREATE VIEW @ AS SELECT name AS @ FROM item",
            "CREATE TRIGGER @ AFTER INSERT ON item BEGIN UPDATE booking SET end = 1 ; END",
            "CREATE TRIGGER IF NOT EXISTS @ AFTER INSERT ON item BEGIN SELECT CASE 1 WHEN 1 THEN end END FROM booking ; DELETE FROM booking WHERE begin = 1 ; END",
            "CREATE TEMP TRIGGER @ AFTER INSERT ON item BEGIN SELECT begin , end FROM booking ; END",
            "EXPLAIN CREATE TEMPORARY TRIGGER @ AFTER INSERT ON item BEGIN SELECT end FROM booking ; END",
            "INSERT INTO booking ( begin , end ) VALUES ( 1 , $a(;COMMIT;) )",
            "UPDATE booking SET end = 1 , begin = 2",
            "SELECT [;COMMIT] FROM ( SELECT 1 AS `;COMMIT` , 2 AS [;COMMIT] )",
            "SELECT \"it's\" , 'it''s' FROM ( SELECT 1 AS \"it's\" )",
            "SAVEPOINT @",
            "SAVEPOINT x ; ROLLBACK TO x",
            "SAVEPOINT x ; ROLLBACK TRANSACTION TO SAVEPOINT x",
            "SAVEPOINT x ; ROLLBACK TRANSACTION @ TO x",
            "SAVEPOINT x ; RELEASE x",
            "EXPLAIN COMMIT",
            "EXPLAIN QUERY PLAN ROLLBACK",
            "PRAGMA query_only",
            "PRAGMA table_info ( query_only )",
            "PRAGMA trigger",
            "PRAGMA @",
            "PRAGMA main . user_version",
            "EXPLAIN PRAGMA foreign_keys = 1");

    private static final List<String> CONTROL_IN_SQLITE = List.of(
            "COMMIT",
            "End",
            "commit TRANSACTION @",
            "END TRANSACTION",
            "ROLLBACK",
            "ROLLBACK TRANSACTION",
            "ROLLBACK TRANSACTION @",
            "ROLLBACK TRANSACTION \"to\"",
            "ROLLBACK TRANSACTION 'to'",
            "ROLLBACK TRANSACTION [to]",
            "PRAGMA query_only = 0",
            "PRAGMA 'query_only' = 0",
            "pragma [Query_Only] ( off )",
            "PRAGMA main . \"query_only\" = 'false'",
            "EXPLAIN PRAGMA query_only = 0",
            "EXPLAIN QUERY PLAN PRAGMA query_only ( 0 )",
            "COMMIT ; BEGIN",
            "ROLLBACK ; BEGIN");

    @Provide
    Arbitrary<List<String>> legalInSqlite() {
        return scripts(sqlite(LEGAL_IN_SQLITE));
    }

    @Provide
    Arbitrary<List<String>> anyInSqlite() {
        return scripts(Arbitraries.oneOf(sqlite(LEGAL_IN_SQLITE), sqlite(CONTROL_IN_SQLITE)));
    }

    private static Arbitrary<String> sqlite(List<String> templates) {
        return filled(
                Arbitraries.of(templates),
                names("", "", "\"\"", "``", "[]", "''"),
                blanks(" \uFEFF ", "\f", " /* /* */ "));
    }

    @Provide
    Arbitrary<String> soupOfSqlite() {
        return soup(
                "'",
                "\"",
                "`",
                "[",
                "]",
                "$a",
                "$",
                "@b",
                ":c",
                "#1",
                "?1",
                "::",
                "\uFEFF",
                "\u001C",
                "é",
                "PRAGMA query_only=0",
                "CREATE TRIGGER x AFTER INSERT ON item BEGIN",
                "ROLLBACK TRANSACTION");
    }

    @Property(tries = TRIES)
    void legal_sql_of_sqlite_passes(@ForAll("legalInSqlite") List<String> script) {
        assertThat(TransactionSql.find(String.join(";", script), Dialect.SQLITE))
                .isNull();
    }

    @Example
    void sqlite_accepts_sql_that_the_generator_calls_legal() throws SQLException {
        for (String template : LEGAL_IN_SQLITE) {
            sqlite.accept(template.replace("@", "x"));
        }
    }

    @Property(tries = TRIES)
    void sql_that_passes_does_not_affect_the_transaction_of_sqlite(@ForAll("anyInSqlite") List<String> script)
            throws SQLException {
        String sql = String.join(";", script);
        sqlite.verify(sql, TransactionSql.find(sql, Dialect.SQLITE));
    }

    @Property(tries = TRIES)
    void random_text_that_passes_does_not_affect_the_transaction_of_sqlite(@ForAll("soupOfSqlite") String sql)
            throws SQLException {
        sqlite.verify(sql, TransactionSql.find(sql, Dialect.SQLITE));
    }

    // PostgreSQL

    private static final List<String> LEGAL_IN_POSTGRESQL = List.of(
            "SELECT 1",
            "VALUES ( ';COMMIT' , E'it\\'s;COMMIT' )",
            "SELECT U&'\\0441;COMMIT' , B'01' , X'0F' , $$;COMMIT;$$ , $é$;$$COMMIT$é$",
            "CREATE TABLE \"@\" ( \"@\" INTEGER , y int )",
            "CREATE INDEX begin ON item ( name )",
            "CREATE VIEW begin AS SELECT name AS begin FROM item",
            "CREATE FUNCTION begin ( begin int ) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$",
            "CREATE FUNCTION commit ( ) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1 ; SELECT CASE WHEN true THEN 2 END ; END",
            "CREATE OR REPLACE PROCEDURE abort ( ) BEGIN ATOMIC INSERT INTO item VALUES ( 'END' ) ; END",
            "CREATE FUNCTION rollback ( begin atomic ) RETURNS void LANGUAGE sql BEGIN ATOMIC END",
            "CREATE FUNCTION f1 ( begin atomic ) RETURNS begin . atomic BEGIN ATOMIC ; RETURN 1 ; END",
            "CREATE RULE begin AS ON INSERT TO booking DO ( SELECT 1 ; SELECT 2 )",
            "DO $$ BEGIN NULL; END $$",
            "UPDATE booking SET \"end\" = 1 , begin = 2",
            "SAVEPOINT x ; ROLLBACK TO x",
            "SAVEPOINT x ; ROLLBACK WORK TO SAVEPOINT x",
            "SAVEPOINT x ; ROLLBACK TRANSACTION TO x",
            "SAVEPOINT begin ; RELEASE begin",
            "SET LOCAL statement_timeout = 60000",
            "SET LOCAL app.transaction_id = '42'",
            "SET SESSION transaction.isolation = 'x'",
            "SET U&\"search_path\" = public",
            "SET CONSTRAINTS ALL DEFERRED",
            "DISCARD PLANS",
            "PREPARE p1 AS SELECT 1 ; DEALLOCATE p1",
            "EXPLAIN SELECT 1",
            "SELECT {fn abs( 1 ) } , {d '2020-01-01'} FROM {oj item}",
            "SELECT '{oj;COMMIT}' , '{\"a\":[1]}'");

    private static final List<String> CONTROL_IN_POSTGRESQL = List.of(
            "COMMIT",
            "END",
            "ABORT",
            "ROLLBACK WORK",
            "ROLLBACK AND CHAIN",
            "COMMIT AND CHAIN",
            "COMMIT ; BEGIN",
            "ROLLBACK ; START TRANSACTION READ WRITE",
            "{oj COMMIT}",
            "{OJ  ROLLBACK }",
            "SET TRANSACTION READ WRITE",
            "SET SESSION TRANSACTION READ WRITE",
            "SET LOCAL transaction_read_only = off",
            "SET transaction_read_only TO off",
            "SET \"transaction_READ_only\" = off",
            "SET U&\"transaction_read_only\" = off",
            "SET U&\"transaction\\005fread_only\" = off",
            "SET U&\"transaction!005fread_only\" UESCAPE '!' = off",
            "RESET transaction_read_only",
            "CREATE FUNCTION f2 ( ) RETURNS void LANGUAGE sql BEGIN ATOMIC END ; END",
            "CREATE FUNCTION f3 ( begin atomic ) RETURNS int LANGUAGE sql AS 'SELECT 1' ; END",
            "{oj SELECT $}$ ' $$ ; COMMIT --'",
            "SELECT 'a\\' ; COMMIT --'");

    @Provide
    Arbitrary<List<String>> legalInPostgres() {
        return scripts(postgres(LEGAL_IN_POSTGRESQL));
    }

    @Provide
    Arbitrary<List<String>> anyInPostgres() {
        return scripts(Arbitraries.oneOf(postgres(LEGAL_IN_POSTGRESQL), postgres(CONTROL_IN_POSTGRESQL)));
    }

    private static Arbitrary<String> postgres(List<String> templates) {
        return filled(Arbitraries.of(templates), names(""), blanks("\r", "\f", " /* /* ; */ COMMIT */ "));
    }

    @Provide
    Arbitrary<String> soupOfPostgres() {
        return soup(
                "'",
                "\"",
                "E'",
                "\\",
                "\\'",
                "U&\"",
                "$$",
                "$a$",
                "$1",
                "$",
                "{oj ",
                "}",
                "{d ",
                "{fn ",
                "\uFEFF",
                "é",
                "\r",
                "SET LOCAL transaction_read_only=off",
                "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC");
    }

    @Property(tries = TRIES)
    void legal_sql_of_postgresql_passes(@ForAll("legalInPostgres") List<String> script) {
        assertThat(postgres.find(String.join(";", script))).isNull();
    }

    @Example
    void postgresql_accepts_sql_that_the_generator_calls_legal() throws SQLException {
        for (String template : LEGAL_IN_POSTGRESQL) {
            postgres.accept(template.replace("@", "x"));
        }
    }

    @Property(tries = TRIES)
    void sql_that_passes_does_not_affect_the_transaction_of_postgresql(@ForAll("anyInPostgres") List<String> script)
            throws SQLException {
        String sql = String.join(";", script);
        postgres.verify(sql, postgres.find(sql));
    }

    @Property(tries = TRIES)
    void random_text_that_passes_does_not_affect_the_transaction_of_postgresql(@ForAll("soupOfPostgres") String sql)
            throws SQLException {
        postgres.verify(sql, postgres.find(sql));
    }

    /** Random sequences of SQL tokens, mostly invalid. */
    private static Arbitrary<String> soup(String... more) {
        return Arbitraries.oneOf(
                        Arbitraries.of(
                                "SELECT 1",
                                "SELECT",
                                "COMMIT",
                                "END",
                                "ROLLBACK TO",
                                "BEGIN",
                                ";",
                                ";",
                                "; COMMIT",
                                "; COMMIT --'",
                                "\n",
                                "--",
                                "/*",
                                "*/",
                                "(",
                                ")",
                                ",",
                                "AS x",
                                "'x'",
                                "--'"),
                        Arbitraries.of(more))
                .list()
                .ofMinSize(1)
                .ofMaxSize(10)
                .flatMap(parts -> Arbitraries.of(" ", "").map(between -> String.join(between, parts)));
    }

    /** Runs a text on a real database and checks its effect. */
    private abstract static class Oracle {
        /** Begins a transaction, runs the text, and returns whether the same transaction is still open with the same access mode. */
        abstract boolean isUntouchedBy(String sql, boolean readOnly) throws SQLException;

        void verify(String sql, @Nullable String found) throws SQLException {
            if (found == null) {
                assertThat(isUntouchedBy(sql, true))
                        .as("a read-only transaction after %s", sql)
                        .isTrue();
                assertThat(isUntouchedBy(sql, false))
                        .as("a writing transaction after %s", sql)
                        .isTrue();
            }
        }

        static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(sql);
            }
        }

        static void run(Connection connection, String sql) {
            try {
                execute(connection, sql);
            } catch (SQLException e) {
                // The text may fail.
            }
        }

        static @Nullable String ask(Connection connection, String query) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    private static final class SqliteOracle extends Oracle {
        private final Path file = Files.createTempFile("guard", ".db");
        private final Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        private final Connection observer = DriverManager.getConnection("jdbc:sqlite:" + file);
        private int mark;

        SqliteOracle() throws SQLException, IOException {
            ask(connection, "PRAGMA journal_mode = WAL");
            run(connection, "PRAGMA synchronous = OFF");
            run(connection, "CREATE TABLE marks(mark INTEGER)");
            run(connection, "CREATE TABLE item(name TEXT)");
            run(connection, "CREATE TABLE booking(begin INTEGER, end INTEGER)");
        }

        @Override
        boolean isUntouchedBy(String sql, boolean readOnly) throws SQLException {
            mark++;
            execute(connection, "BEGIN IMMEDIATE");
            try {
                execute(connection, "INSERT INTO marks VALUES (" + mark + ")");
                execute(connection, "PRAGMA query_only = " + readOnly);
                run(connection, sql);
                String marked = "SELECT mark FROM marks WHERE mark = " + mark;
                return ask(connection, "PRAGMA query_only").equals(readOnly ? "1" : "0")
                        && ask(connection, marked) != null
                        && ask(observer, marked) == null;
            } finally {
                execute(connection, "PRAGMA query_only = 0");
                run(connection, "ROLLBACK");
            }
        }

        /** Runs a text that must not fail. */
        void accept(String sql) throws SQLException {
            execute(connection, "BEGIN");
            try {
                execute(connection, sql);
            } finally {
                execute(connection, "ROLLBACK");
            }
        }

        void close() throws SQLException {
            connection.close();
            observer.close();
        }
    }

    private static final class PostgresOracle extends Oracle {
        private static final String BEGUN = "SELECT xact_start FROM pg_stat_activity WHERE pid = ";
        private final Connection connection = open();
        private final Connection observer = open();
        private final PostgresDriver driver = Objects.requireNonNull(PostgresDriver.of(connection));
        private final String pid = ask(connection, "SELECT pg_backend_pid()");

        PostgresOracle() throws SQLException {
            run(connection, "CREATE TABLE item(name TEXT)");
            run(connection, "CREATE TABLE booking(begin INTEGER, \"end\" INTEGER)");
            run(connection, "CREATE DOMAIN atomic AS int; CREATE SCHEMA begin; CREATE DOMAIN begin.atomic AS int");
        }

        private static Connection open() throws SQLException {
            return DriverManager.getConnection(Database.POSTGRESQL
                    .url(Path.of("."))
                    .replace("postgresql://postgres@", "jdbc:postgresql://")
                    .concat("?user=postgres"));
        }

        @Nullable String find(String sql) {
            return driver.findTransactionSql(sql);
        }

        @Override
        boolean isUntouchedBy(String sql, boolean readOnly) throws SQLException {
            return isUntouchedBy(sql, readOnly, false) && isUntouchedBy(sql, readOnly, true);
        }

        /** The savepoint keeps a failure from hiding earlier effects of the text. The run without it matters, because only there can the text lift read-only. */
        private boolean isUntouchedBy(String sql, boolean readOnly, boolean savepoint) throws SQLException {
            connection.setAutoCommit(false);
            try {
                execute(connection, readOnly ? "SET TRANSACTION READ ONLY" : "SET TRANSACTION READ WRITE");
                String begun = ask(observer, BEGUN + pid);
                if (savepoint) {
                    execute(connection, "SAVEPOINT before_text");
                }
                run(connection, sql);
                if (isAborted()) {
                    if (!savepoint) {
                        return true; // unknown here; the run with a savepoint decides
                    }
                    run(connection, "ROLLBACK TO before_text");
                }
                return Objects.equals(begun, ask(observer, BEGUN + pid)) && !isAborted() && isReadOnly() == readOnly;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
                run(connection, "RESET ALL");
            }
        }

        /** Runs a text that must not fail. */
        void accept(String sql) throws SQLException {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }

        private boolean isAborted() throws SQLException {
            return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        }

        private boolean isReadOnly() throws SQLException {
            return "on".equals(ask(connection, "SHOW transaction_read_only"));
        }

        void close() throws SQLException {
            connection.close();
            observer.close();
        }
    }
}
