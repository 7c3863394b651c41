package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionSqlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "commit;",
                "  \n\tCommit Transaction",
                "-- a comment\nCOMMIT",
                "/* a comment */ COMMIT",
                ";;COMMIT",
                "END",
                "END TRANSACTION",
                "ROLLBACK",
                "rollback transaction",
                "BEGIN",
                "BEGIN IMMEDIATE",
                "ABORT",
                "START TRANSACTION",
                "PREPARE TRANSACTION 'x'",
                "INSERT INTO item VALUES ('a'); COMMIT",
                "INSERT INTO item VALUES (';'); COMMIT",
                "INSERT INTO item VALUES ('it''s'); COMMIT",
                "SELECT \";\" ; ROLLBACK -- why not",
                "SELECT 1 /* ; */; END",
                "SELECT CASE WHEN 1 THEN 2 END; COMMIT",
                "CREATE TABLE t(x); COMMIT",
                "CREATE TABLE t(x); END",
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; COMMIT",
                "SET TRANSACTION READ WRITE",
                "set transaction_read_only = off",
                "SET LOCAL transaction_isolation = 'read committed'",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "SET SESSION transaction_read_only TO off",
                "(COMMIT",
                "\u0001COMMIT",
                "SELECT größe; COMMIT",
                "CREATE TABLE begin(x INTEGER); COMMIT",
                "CREATE INDEX begin ON item(name); COMMIT",
                "create table x(begin INTEGER); commit",
                "CREATE VIEW x AS SELECT 1 AS begin; COMMIT",
                "RESET ALL",
                "/* a=1 */ SET TRANSACTION READ WRITE",
                "/*route='/to/x'*/ SET TRANSACTION READ WRITE",
                "-- go to\nSET TRANSACTION READ WRITE",
                "SET /* = */ TRANSACTION READ WRITE",
                "RESET /* = */ transaction_read_only",
                "PRAGMA /* x */ query_only /* y */ = 0",
                "RESET transaction_read_only",
                "DISCARD ALL",
                "SET \"transaction_read_only\" = off",
                "SET SESSION default_transaction_isolation = 'read committed'",
                "SET SESSION SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "SET LOCAL TRANSACTION READ WRITE",
                "CREATE TRIGGER begin AFTER INSERT ON item BEGIN SELECT 1; END; COMMIT",
                "CREATE TRIGGER t AFTER UPDATE OF begin ON item BEGIN SELECT 1; END; COMMIT",
                "CREATE FUNCTION begin() RETURNS int LANGUAGE sql AS 'SELECT 1'; COMMIT",
                "CREATE FUNCTION f(begin int) RETURNS int LANGUAGE sql AS 'SELECT 1'; COMMIT",
                "ROLLBACK TRANSACTION \"to\"",
                "ROLLBACK TRANSACTION \"to\"; SAVEPOINT a",
                "({ COMMIT",
                "RESTORE FROM 'other.db'"
            })
    void statements_that_only_the_unit_may_run_are_detected(String sql) {
        assertThat(TransactionSql.find(sql, Dialect.SQLITE)).isNotNull();
        assertThat(TransactionSql.find(sql, Dialect.POSTGRESQL)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "SELECT 1",
                "(SELECT 1)",
                "INSERT INTO item VALUES ('COMMIT')",
                "INSERT INTO item VALUES ('; COMMIT')",
                "INSERT INTO item VALUES ('it''s; COMMIT')",
                "INSERT INTO item VALUES ('unclosed; COMMIT",
                "SELECT 1 -- ; COMMIT",
                "SELECT 1 -- ; COMMIT\n",
                "SELECT 1 /* ; COMMIT */",
                "SELECT 1 /* ; COMMIT",
                "SELECT \"; COMMIT\" FROM item",
                "SELECT commit, rollback, begin FROM words",
                "SELECT 2 - 1 / 1; SELECT 3",
                "SAVEPOINT a",
                "RELEASE a",
                "ROLLBACK TO a",
                "ROLLBACK TRANSACTION TO SAVEPOINT a",
                "PREPARE plan AS SELECT 1",
                "SET LOCAL transaction_timeout = 60000",
                "SET transaction_timeout TO '1min'",
                "RESET transaction_timeout",
                "START",
                "SET search_path = public",
                "SET CONSTRAINTS fk_transaction DEFERRED",
                "SET LOCAL app.transaction_id = '42'",
                "/* in this transaction */ SET LOCAL statement_timeout = 1000",
                "-- part of the transaction\nSET LOCAL search_path = x",
                "/* query_only( */ PRAGMA table_info(x)",
                "PRAGMA table_info(query_only)",
                "SELECT \"unclosed",
                "SET application_name = 'transaction'",
                "SET application_name TO transaction",
                "RESET search_path",
                "DELETE FROM item",
                "DISCARD PLANS",
                "PRAGMA",
                "SET",
                "CREATE TEMP TABLE x(y)",
                "SET SESSION AUTHORIZATION joe",
                "SET transaction.isolation = 'x'",
                "SET LOCAL my.transaction_read_only = 'x'",
                "RESET SESSION AUTHORIZATION",
                "ROLLBACK TRANSACTION TO a",
                "ROLLBACK WORK TO SAVEPOINT a",
                "SET LOCAL search_path = public",
                "SET SESSION ROLE nobody",
                "PRAGMA foreign_keys = ON",
                "PRAGMA query_only",
                "EXPLAIN SELECT 1",
                "ALTER TABLE item ADD COLUMN x",
                "ANALYZE",
                "CALL something()",
                "1 COMMIT",
                "COMMITMENT"
            })
    void all_other_statements_pass(String sql) {
        assertThat(TransactionSql.find(sql, Dialect.SQLITE)).isNull();
        assertThat(TransactionSql.find(sql, Dialect.POSTGRESQL)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uFEFFCOMMIT",
                "PRAGMA query_only = 0",
                "pragma QUERY_ONLY=off",
                "PRAGMA query_only(false)",
                "PRAGMA main.query_only = 0",
                "PRAGMA query_only = 'off'",
                "PRAGMA \"query_only\" = 0",
                "PRAGMA [query_only] = 0",
                "PRAGMA 'query_only' = 0",
                "PRAGMA 'main'.'query_only'(0)",
                "EXPLAIN PRAGMA query_only = 0",
                "EXPLAIN QUERY PLAN PRAGMA query_only = 0",
                "PRAGMA trigger; END",
                "ROLLBACK TRANSACTION 'to'",
                "ROLLBACK TRANSACTION [to]",
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT 1; END; END",
                "SELECT $a(\u001C'); COMMIT; --'",
                "SELECT $a\uFEFF('); COMMIT; --'",
                "PRAGMA main.`query_only`('0')",
                "UPDATE item SET name = $a('); COMMIT; --'",
                "UPDATE item SET name = @a::b('); COMMIT; --'",
                "SELECT :a; COMMIT",
                "SELECT ?1, #a(b c); COMMIT; --)",
                "/* /* */ COMMIT",
                "SELECT `;` FROM item; COMMIT",
                "SELECT [it's] FROM item; COMMIT"
            })
    void the_syntax_of_sqlite_is_recognised(String sql) {
        assertThat(TransactionSql.find(sql, Dialect.SQLITE)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN UPDATE item SET name = 'x'; END",
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN UPDATE item SET end = 1; END",
                "CREATE TRIGGER begin AFTER INSERT ON item BEGIN UPDATE item SET end = 1, begin = 2; END;",
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT CASE end WHEN end THEN end END; DELETE FROM item; END; SELECT 1",
                "EXPLAIN CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item; END",
                "EXPLAIN COMMIT",
                "EXPLAIN QUERY PLAN ROLLBACK",
                "ROLLBACK TRANSACTION x TO a",
                "ROLLBACK TRANSACTION [x] TO SAVEPOINT a",
                "PRAGMA trigger",
                "PRAGMA main.table_info('query_only')",
                "CREATE TEMP TRIGGER t AFTER INSERT ON item BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM item; END; SELECT 1"
            })
    void the_body_of_a_trigger_is_recognised(String sql) {
        assertThat(TransactionSql.find(sql, Dialect.SQLITE)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT E'it\\'s; COMMIT'          | false",
                "SELECT e'unclosed \\              | false",
                "SELECT E'it\\'s'; COMMIT          | true",
                "SELECT 'e'; COMMIT                | true",
                "SELECT $$; COMMIT; $$             | false",
                "SELECT $body$; $$ COMMIT; $body$  | false",
                "SELECT $$a$$; COMMIT              | true",
                "SELECT $1; COMMIT                 | true",
                "SELECT $1$; COMMIT                | true",
                "SELECT $; COMMIT                  | true",
                "SELECT $                          | false",
                "SELECT X'00'; COMMIT             | true",
                "SELECT 1; SELECT e                | false",
                "SELECT a[1]; COMMIT               | true",
                "DO $$ BEGIN NULL; END $$          | false",
                "/* /* */ x */ COMMIT              | true",
                "/* /* */ ; COMMIT */ SELECT 1     | false",
                "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END | false",
                "CREATE OR REPLACE PROCEDURE f() BEGIN ATOMIC SELECT 1; END; COMMIT | true",
                "CREATE PROCEDURE f() BEGIN ATOMIC SELECT 1; END | false",
                "CREATE FUNCTION f(begin atomic) RETURNS int LANGUAGE sql AS 'x'; END | true",
                "CREATE FUNCTION begin.atomic() RETURNS int LANGUAGE sql AS 'x'; END | true",
                "CREATE FUNCTION f() BEGIN ATOMIC END; END | true",
                "CREATE FUNCTION f() BEGIN ATOMIC; END | false",
                "CREATE FUNCTION f(begin atomic) RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END | false",
                "CREATE OR REPLACE FUNCTION f() BEGIN ATOMIC SELECT 1; END; END | true",
                "CREATE OR REPLACE TABLE f; END     | true",
                "SELECT E'a' 'b\\'; COMMIT; --'   | true",
                "SET U&\"transaction_read_only\" = off | true",
                "SET U&\"transaction\\005fread_only\" = off | true",
                "SET u&\"x!005fy\" UESCAPE '!' = off | true",
                "SET U&\"search_path\" = public   | false",
                "RESET U&\"transaction_read_only\" | true",
                "SELECT U&'x'; SELECT u             | false",
                "CREATE TRIGGER begin; COMMIT      | true"
            })
    void the_syntax_of_postgresql_is_recognised(String sql, boolean found) {
        assertThat(TransactionSql.find(sql, Dialect.POSTGRESQL) != null).isEqualTo(found);
    }

    @Test
    void line_ends_are_recognised_as_in_the_database() {
        assertThat(TransactionSql.find("SELECT 1 -- x\r; COMMIT", Dialect.POSTGRESQL))
                .isNotNull();
        assertThat(TransactionSql.find("SELECT 1 -- x\r; COMMIT", Dialect.SQLITE))
                .isNull();
        assertThat(TransactionSql.find("SELECT $a(", Dialect.SQLITE)).isNull();
        assertThat(TransactionSql.find("SELECT $a ; COMMIT", Dialect.SQLITE)).isNotNull();
        assertThat(TransactionSql.find("SELECT 1; SELECT $a", Dialect.SQLITE)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "commit, COMMIT",
        "SELECT 1; rollback transaction, ROLLBACK TRANSACTION",
        "begin immediate, BEGIN IMMEDIATE"
    })
    void the_result_names_the_statement(String sql, String words) {
        assertThat(TransactionSql.find(sql, Dialect.SQLITE)).isEqualTo(words);
    }

    @Test
    void a_string_of_postgresql_continues_on_the_next_line() {
        assertThat(TransactionSql.find("SELECT E'a'\n'b\\'; COMMIT; --'", Dialect.POSTGRESQL))
                .isNull();
        assertThat(TransactionSql.find("SELECT E'a' -- it's\n -- \r'b\\'; COMMIT; --'", Dialect.POSTGRESQL))
                .isNull();
        assertThat(TransactionSql.find("SELECT 'a'\n'b\\'; COMMIT; --'", Dialect.POSTGRESQL))
                .isNotNull();
    }

    @Test
    void a_backslash_escapes_if_postgresql_is_configured_so() {
        assertThat(TransactionSql.find("SELECT 'a\\'; COMMIT; --'", Dialect.POSTGRESQL_WITH_BACKSLASHES))
                .isNull();
        assertThat(TransactionSql.find("SELECT 'a\\'' ; COMMIT", Dialect.POSTGRESQL_WITH_BACKSLASHES))
                .isNotNull();
        assertThat(TransactionSql.find("SELECT 'a\\'' ; COMMIT", Dialect.POSTGRESQL))
                .isNull();
    }
}
