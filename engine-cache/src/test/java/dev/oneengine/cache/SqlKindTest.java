package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlKindTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "  select 'INSERT' from t",
                "-- a comment\nSELECT 1",
                "/* INSERT */ /**/ VALUES (1)",
                "\uFEFFSELECT 1",
                ";;SELECT 1",
                "EXPLAIN INSERT INTO t VALUES (1)",
                "WITH a AS (INSERT), b(x) AS (SELECT ')' || \"delete\" || [update] || `replace`) SELECT * FROM a",
                "with recursive n(i) as (values (1) union all select i + 1 from n) values (1)",
                "ATTACH 'x' AS y",
                "backup to x",
                "PRAGMA table_info(t)",
                "PRAGMA foreign_keys = ON",
                "PRAGMA",
                "",
                "-- nothing",
                "/* never ends"
            })
    void reads(String sql) {
        assertThat(SqlKind.of(sql).writes()).as(sql).isFalse();
        assertThat(SqlKind.of(sql).control()).as(sql).isFalse();
        assertThat(SqlKind.ofScript(sql).writes()).as(sql).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1)",
                "rePLACE INTO t VALUES (1)",
                "WITH a(i) AS (SELECT 1) INSERT INTO t SELECT i FROM a",
                "WITH a AS (SELECT 1), b AS (SELECT 2) REPLACE INTO t SELECT 1"
            })
    void inserts(String sql) {
        assertThat(SqlKind.of(sql)).as(sql).isEqualTo(new SqlKind(true, false, true, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET a = 1",
                "DELETE FROM t",
                "WITH a AS (SELECT 1) UPDATE t SET a = 1",
                "WITH a AS (SELECT 1) DELETE FROM t",
                "WITH nonsense",
                "CREATE TABLE t(a)",
                "VACUUM",
                "restore from x",
                "PRAGMA user_version = 7",
                "PRAGMA main.journal_mode = WAL",
                "PRAGMA \"main\" . 'wal_checkpoint'",
                "INSERTED"
            })
    void writes(String sql) {
        assertThat(SqlKind.of(sql).writes()).as(sql).isTrue();
        assertThat(SqlKind.of(sql).inserts()).as(sql).isFalse();
        assertThat(SqlKind.of(sql).control()).as(sql).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "BEGIN, false",
        "begin deferred, false",
        "BEGIN /* at once */ IMMEDIATE, true",
        "BEGIN EXCLUSIVE TRANSACTION, true",
        "COMMIT, false",
        "END TRANSACTION, false",
        "ROLLBACK TO a, false",
        "SAVEPOINT a, false",
        "RELEASE a, false"
    })
    void control(String sql, boolean writes) {
        assertThat(SqlKind.of(sql)).as(sql).isEqualTo(new SqlKind(writes, true, false, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "PRAGMA query_only, query_only",
        "PRAGMA Query_Only = 1, query_only",
        "PRAGMA 'query_only' = 0, query_only",
        "PRAGMA main.busy_timeout(7), busy_timeout",
        "PRAGMA [query_only] = 0, query_only"
    })
    void pragmas(String sql, String name) {
        assertThat(SqlKind.of(sql).is(name)).as(sql).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1; BEGIN",
                "INSERT INTO t VALUES (';'); SELECT 1",
                "SELECT ';' /* ; */ ; -- ;\n UPDATE t SET a = 1",
                "SELECT \"a;b\", [c;d] FROM t; COMMIT;"
            })
    void a_script_may_do_anything(String sql) {
        assertThat(SqlKind.ofScript(sql)).as(sql).isEqualTo(new SqlKind(true, true, true, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1;", "SELECT ';'", "SELECT 1 ; -- ;", "SELECT \"a;b\";;;", "SELECT 'open;"})
    void one_statement_is_no_script(String sql) {
        assertThat(SqlKind.ofScript(sql)).as(sql).isEqualTo(SqlKind.READ);
    }
}
