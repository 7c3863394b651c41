package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;

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
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; COMMIT",
                "SET TRANSACTION READ WRITE",
                "set transaction_read_only = off",
                "SET LOCAL transaction_isolation = 'read committed'",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "SET SESSION transaction_read_only TO off",
                "(COMMIT",
                "\uFEFFCOMMIT",
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
                "RESTORE FROM 'other.db'"
            })
    void it_finds_what_is_for_the_owner_alone(String sql) {
        assertThat(TransactionSql.find(sql, true)).isNotNull();
        assertThat(TransactionSql.find(sql, false)).isNotNull();
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
    void it_lets_everything_else_through(String sql) {
        assertThat(TransactionSql.find(sql, true)).isNull();
        assertThat(TransactionSql.find(sql, false)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRAGMA query_only = 0",
                "pragma QUERY_ONLY=off",
                "PRAGMA query_only(false)",
                "PRAGMA main.query_only = 0",
                "PRAGMA query_only = 'off'",
                "PRAGMA \"query_only\" = 0",
                "PRAGMA [query_only] = 0",
                "PRAGMA main.`query_only`('0')",
                "UPDATE item SET name = $a('); COMMIT; --'",
                "UPDATE item SET name = @a::b('); COMMIT; --'",
                "SELECT :a; COMMIT",
                "SELECT ?1, #a(b c); COMMIT; --)",
                "/* /* */ COMMIT",
                "SELECT `;` FROM item; COMMIT",
                "SELECT [it's] FROM item; COMMIT"
            })
    void it_knows_the_ways_of_sqlite(String sql) {
        assertThat(TransactionSql.find(sql, true)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON item BEGIN UPDATE item SET name = 'x'; END",
                "CREATE TEMP TRIGGER t AFTER INSERT ON item BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM item; END; SELECT 1"
            })
    void it_knows_the_body_of_a_trigger(String sql) {
        assertThat(TransactionSql.find(sql, true)).isNull();
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
                "CREATE TRIGGER begin; COMMIT      | true"
            })
    void it_knows_the_ways_of_postgresql(String sql, boolean found) {
        assertThat(TransactionSql.find(sql, false) != null).isEqualTo(found);
    }

    @Test
    void a_line_ends_for_each_of_them_where_it_ends_for_the_database() {
        assertThat(TransactionSql.find("SELECT 1 -- x\r; COMMIT", false)).isNotNull();
        assertThat(TransactionSql.find("SELECT 1 -- x\r; COMMIT", true)).isNull();
        assertThat(TransactionSql.find("SELECT $a(", true)).isNull();
        assertThat(TransactionSql.find("SELECT $a ; COMMIT", true)).isNotNull();
        assertThat(TransactionSql.find("SELECT 1; SELECT $a", true)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "commit, COMMIT",
        "SELECT 1; rollback transaction, ROLLBACK TRANSACTION",
        "begin immediate, BEGIN IMMEDIATE"
    })
    void it_says_what_it_found(String sql, String words) {
        assertThat(TransactionSql.find(sql, true)).isEqualTo(words);
    }
}
