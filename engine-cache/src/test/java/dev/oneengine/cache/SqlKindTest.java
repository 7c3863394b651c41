package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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
                "PRAGMA \"",
                "PRAGMA user_version",
                "PRAGMA main.journal_mode;",
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
        assertThat(SqlKind.of(sql)).as(sql).isEqualTo(new SqlKind(true, false, true, true, false, false, ""));
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
                "PRAGMA application_id(7)",
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
        "SAVEPOINT a, false",
        "RELEASE a, false"
    })
    void control(String sql, boolean writes) {
        assertThat(SqlKind.of(sql)).as(sql).isEqualTo(new SqlKind(writes, true, false, false, false, false, ""));
    }

    @Test
    void verbs_with_a_special_effect_are_kept() {
        assertThat(SqlKind.of("ROLLBACK TO a"))
                .isEqualTo(new SqlKind(false, true, false, false, false, false, "rollback"));
        assertThat(SqlKind.of("restore from x").verb()).isEqualTo("restore");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRAGMA query_only",
                "PRAGMA Query_Only = 1",
                "PRAGMA 'query_only' = 0",
                "PRAGMA [query_only] = 0",
                "EXPLAIN PRAGMA query_only = 1",
                "SELECT 1; PRAGMA query_only = 1"
            })
    void sql_that_may_change_query_only_is_detected(String sql) {
        assertThat(SqlKind.ofScript(sql).readOnly()).as(sql).isTrue();
        assertThat(SqlKind.ofScript(sql).busyTimeout()).as(sql).isFalse();
        assertThat(SqlKind.READ.and(SqlKind.ofScript(sql)).readOnly()).as(sql).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRAGMA main.busy_timeout(7)", "PRAGMA cache_size = 7; PRAGMA busy_timeout = 7"})
    void sql_that_may_set_the_busy_timeout_is_detected(String sql) {
        assertThat(SqlKind.ofScript(sql).busyTimeout()).as(sql).isTrue();
        assertThat(SqlKind.ofScript(sql).readOnly()).as(sql).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1; BEGIN IMMEDIATE",
                "INSERT INTO t VALUES (';'); SELECT 1; COMMIT",
                "SELECT ';' /* ; */ ; -- ;\n UPDATE t SET a = 1; ROLLBACK",
                "UPDATE t SET \"a;b\" = [c;d]; COMMIT;"
            })
    void a_script_has_the_effects_of_all_its_statements(String sql) {
        assertThat(SqlKind.ofScript(sql).writes()).as(sql).isTrue();
        assertThat(SqlKind.ofScript(sql).control()).as(sql).isTrue();
    }

    @Test
    void a_script_that_ends_no_transaction_is_recognised() {
        assertThat(SqlKind.ofScript("INSERT INTO t VALUES (1); INSERT OR ROLLBACK INTO t VALUES (1)"))
                .isEqualTo(new SqlKind(true, false, true, true, false, false, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1;", "SELECT ';'", "SELECT 1 ; -- ;", "SELECT \"a;b\";;;", "SELECT 'open;"})
    void one_statement_is_not_a_script(String sql) {
        assertThat(SqlKind.ofScript(sql)).as(sql).isEqualTo(SqlKind.QUERY);
    }
}
