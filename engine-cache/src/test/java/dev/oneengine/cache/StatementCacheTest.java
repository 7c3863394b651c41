package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.core.DB;

/**
 * A kept statement carries nothing over from its last user to the next. All tests except those that count statements
 * also hold without a cache.
 */
@Timeout(60)
@ParameterizedClass
@CsvSource({"MEMORY, 64", "FILE, 64", "MEMORY, 0"})
class StatementCacheTest {
    private static final String QUERY = "SELECT name FROM item WHERE name >= ? ORDER BY name";
    private static final String INSERT = "INSERT INTO item VALUES (?)";

    @Parameter(0)
    Database database;

    @Parameter(1)
    int limit;

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private Engine engine;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        open(limit);
    }

    private void open(int mostKept) throws SQLException {
        cache.evict(database.url(directory));
        engine = cache.engine(
                database.url(directory),
                EngineSettings.builder().statementCache(mostKept).build());
        connection = engine.dataSource().getConnection();
        Sql.execute(
                engine.dataSource(),
                "DROP TABLE IF EXISTS item",
                "CREATE TABLE item(name TEXT PRIMARY KEY)",
                "INSERT INTO item VALUES ('a'), ('b'), ('c')");
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** Prepares, runs, and closes a statement. */
    private void use(String sql) throws SQLException {
        try (PreparedStatement statement = prepare(sql)) {
            statement.execute();
        }
    }

    private static List<String> read(PreparedStatement statement) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private List<String> items() throws SQLException {
        try (PreparedStatement statement = prepare("SELECT name FROM item ORDER BY name")) {
            return read(statement);
        }
    }

    /** Returns the open native statements of the connection, including those of the engine itself. */
    private int openStatements() throws Exception {
        return ((Set<?>) field(DB.class, "stmts").get(sqlite().getDatabase())).size();
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private SqliteConnection sqlite() throws SQLException {
        return connection.unwrap(SqliteConnection.class);
    }

    // What is kept

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "VALUES (1)",
                "INSERT INTO item VALUES ('x') ON CONFLICT DO NOTHING",
                "REPLACE INTO item VALUES ('x')",
                "UPDATE item SET name = 'x' WHERE name = 'y'",
                "DELETE FROM item WHERE name = 'y'",
                "WITH x AS (SELECT 1) SELECT * FROM x"
            })
    void statements_that_query_or_change_rows_are_kept(String sql) throws Exception {
        Sql.execute(
                connection, "INSERT INTO item VALUES ('first')"); // puts the query for generated keys into the cache
        int before = openStatements();
        for (int i = 0; i < 3; i++) {
            use(sql);
        }
        assertThat(openStatements() - before).as(sql).isEqualTo(limit == 0 ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRAGMA user_version",
                "EXPLAIN SELECT 1",
                "CREATE TABLE IF NOT EXISTS item(name TEXT)",
                "DROP TABLE IF EXISTS other",
                "ANALYZE"
            })
    void other_statements_are_not_kept_and_close_the_kept_ones(String sql) throws Exception {
        int before = openStatements();
        use("SELECT 1");
        use(sql);
        assertThat(openStatements()).as(sql).isEqualTo(before);
        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void begin_and_savepoints_close_no_kept_statement() throws Exception {
        use("SELECT 1");
        int before = openStatements();
        connection.setAutoCommit(false);
        connection.releaseSavepoint(connection.setSavepoint());
        connection.commit();
        connection.setAutoCommit(true);
        use("SELECT 1");
        assertThat(openStatements()).isEqualTo(before);
    }

    @Test
    void least_recently_used_statements_beyond_the_limit_are_closed() throws Exception {
        open(2);
        use("SELECT 1");
        use("SELECT 2");
        int before = openStatements();
        use("SELECT 1");
        use("SELECT 3");
        assertThat(openStatements()).isEqualTo(before);
        use("SELECT 1");
        assertThat(openStatements()).isEqualTo(before);
        try (PreparedStatement first = prepare("SELECT 1");
                PreparedStatement third = prepare("SELECT 3")) {
            assertThat(List.of(read(first), read(third))).containsExactly(List.of("1"), List.of("3"));
            assertThat(openStatements()).isEqualTo(before);
        }
        try (PreparedStatement second = prepare("SELECT 2")) { // was closed
            assertThat(read(second)).containsExactly("2");
        }
    }

    @Test
    void statements_longer_than_the_limit_are_not_kept() throws Exception {
        int before = openStatements();
        String empty = "SELECT ''";
        String longest = "SELECT '" + "x".repeat(StatementCache.LONGEST_TEXT - empty.length()) + "'";
        use(longest + " ");
        assertThat(openStatements()).isEqualTo(before);
        use(longest);
        assertThat(openStatements() - before).isEqualTo(limit == 0 ? 0 : 1);
    }

    @Test
    void preparing_the_same_sql_twice_at_once_returns_two_statements() throws Exception {
        int before = openStatements();
        try (PreparedStatement first = prepare(QUERY);
                PreparedStatement second = prepare(QUERY)) {
            first.setString(1, "b");
            second.setString(1, "c");
            try (ResultSet rows = first.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(read(second)).containsExactly("c");
                assertThat(rows.getString(1)).isEqualTo("b");
                assertThat(rows.next()).isTrue();
            }
        }
        assertThat(openStatements() - before).isEqualTo(limit == 0 ? 0 : 1);
    }

    @Test
    void a_connection_keeps_its_statements_for_its_next_user() throws Exception {
        use(QUERY);
        int before = openStatements();
        connection.close();
        connection = engine.dataSource().getConnection();
        use(QUERY);
        assertThat(openStatements()).isEqualTo(before);
    }

    // Use after close

    @Test
    void a_closed_statement_stays_closed_while_another_user_has_the_same_sql() throws SQLException {
        PreparedStatement closed = prepare(QUERY);
        closed.setString(1, "b");
        closed.close();
        try (PreparedStatement next = prepare(QUERY)) {
            next.setString(1, "c");
            for (SqlAction use : List.<SqlAction>of(
                    () -> closed.setString(1, "a"),
                    () -> closed.setMaxRows(1),
                    () -> closed.setFetchSize(7),
                    () -> closed.clearParameters(),
                    () -> closed.addBatch(),
                    () -> closed.executeQuery(),
                    () -> closed.execute(),
                    () -> closed.getResultSet(),
                    () -> closed.getMoreResults(),
                    () -> closed.getMetaData(),
                    () -> closed.closeOnCompletion())) {
                assertThatThrownBy(use::run).isInstanceOf(SQLException.class);
            }
            closed.close();
            assertThat(closed.isClosed()).isTrue();
            assertThat(next.isClosed()).isFalse();
            assertThat(next.getMaxRows()).isZero();
            assertThat(next.getFetchSize()).isZero();
            assertThat(read(next)).containsExactly("c");
        }
    }

    @Test
    void a_closed_result_set_does_not_advance_the_result_set_of_the_next_user() throws SQLException {
        PreparedStatement closed = prepare(QUERY);
        closed.setString(1, "a");
        ResultSet stale = closed.executeQuery();
        assertThat(stale.next()).isTrue();
        closed.close();
        try (PreparedStatement next = prepare(QUERY)) {
            next.setString(1, "a");
            try (ResultSet rows = next.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(stale.isClosed()).isTrue();
                assertThat(stale.next()).isFalse();
                assertThatThrownBy(() -> stale.getString(1)).isInstanceOf(SQLException.class);
                stale.close();
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("b");
            }
        }
    }

    @Test
    void metadata_of_a_closed_statement_is_unusable() throws SQLException {
        PreparedStatement closed = prepare(QUERY);
        closed.execute();
        ResultSetMetaData metadata = closed.getMetaData();
        assertThat(metadata.getColumnName(1)).isEqualTo("name");
        closed.close();
        assertThatThrownBy(() -> metadata.getColumnName(1)).isInstanceOf(SQLException.class);
    }

    // State of the former user

    @Test
    void settings_of_a_statement_do_not_reach_its_next_user() throws SQLException {
        try (PreparedStatement statement = prepare(QUERY)) {
            statement.setString(1, "a");
            statement.setMaxRows(1);
            statement.setFetchSize(1);
            statement.setQueryTimeout(7);
            statement.closeOnCompletion();
            statement.addBatch();
            assertThat(statement.executeQuery().next()).isTrue();
        }
        try (PreparedStatement statement = prepare(QUERY)) {
            assertThat(statement.getMaxRows()).isZero();
            assertThat(statement.getLargeMaxRows()).isZero();
            assertThat(statement.getFetchSize()).isZero();
            assertThat(statement.getQueryTimeout()).isZero();
            assertThat(statement.isCloseOnCompletion()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            assertThat(statement.executeBatch()).isEmpty();
            assertThat(read(statement)).as("an unset parameter is NULL").isEmpty();
            statement.setString(1, "b");
            assertThat(read(statement)).containsExactly("b", "c");
        }
    }

    @Test
    void parameters_do_not_reach_the_next_user() throws SQLException {
        try (PreparedStatement statement = prepare("SELECT ?, ?")) {
            statement.setString(1, "secret");
            statement.setBytes(2, new byte[1_000]);
            assertThat(read(statement)).containsExactly("secret");
        }
        try (PreparedStatement statement = prepare("SELECT ?, ?");
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(Arrays.asList(rows.getString(1), rows.getString(2))).containsExactly(null, null);
        }
    }

    @Test
    void unset_parameters_are_null_for_the_next_user() throws SQLException {
        try (PreparedStatement statement = prepare("SELECT ?, ?")) {
            statement.setString(1, "secret");
            statement.setString(2, "secret");
            assertThat(read(statement)).containsExactly("secret");
        }
        try (PreparedStatement statement = prepare("SELECT ?, ?")) {
            statement.setInt(2, 1);
            assertThat(read(statement)).containsExactly((String) null);
        }
    }

    @Test
    void a_kept_statement_does_not_retain_a_long_parameter() throws Exception {
        String sql = "SELECT ? IS NULL";
        for (Object value : List.of("x".repeat(257), new byte[257], "x")) {
            try (PreparedStatement statement = prepare(sql)) {
                statement.setObject(1, value);
                read(statement);
            }
            SqlitePreparedStatement kept = kept(sql);
            if (kept != null) {
                boolean cleared = kept.pointer.safeRunInt((db, pointer) -> {
                            db.step(pointer);
                            return db.column_int(pointer, 0);
                        })
                        == 1;
                kept.pointer.safeRunInt(DB::reset);
                assertThat(cleared).isEqualTo(!value.equals("x"));
            }
            assertThat(kept != null).isEqualTo(limit > 0);
        }
    }

    private SqlitePreparedStatement kept(String sql) throws Exception {
        StatementCache<?> statements =
                (StatementCache<?>) field(SqliteConnection.class, "statements").get(sqlite());
        return (SqlitePreparedStatement)
                ((Map<?, ?>) field(StatementCache.class, "templates").get(statements)).get(sql);
    }

    @Test
    void a_batch_does_not_reach_the_next_user() throws SQLException {
        try (PreparedStatement statement = prepare(INSERT)) {
            statement.setString(1, "x");
            statement.addBatch();
            statement.setString(1, "y");
            statement.addBatch();
        }
        try (PreparedStatement statement = prepare(INSERT)) {
            statement.setString(1, "z");
            statement.addBatch();
            assertThat(statement.executeBatch()).containsExactly(1);
        }
        assertThat(items()).containsExactly("a", "b", "c", "z");
    }

    @Test
    void a_statement_that_closes_with_its_result_set_is_also_kept() throws SQLException {
        for (int i = 0; i < 3; i++) {
            PreparedStatement statement = prepare(QUERY);
            statement.closeOnCompletion();
            statement.setString(1, "b");
            assertThat(read(statement)).containsExactly("b", "c");
            assertThat(statement.isClosed()).isTrue();
        }
    }

    @Test
    void an_unread_result_set_holds_no_lock_after_close() throws SQLException {
        try (PreparedStatement statement = prepare(QUERY)) {
            statement.setString(1, "a");
            assertThat(statement.execute()).isTrue();
        }
        use("DROP TABLE item");
        use("CREATE TABLE item(name TEXT)");
        assertThat(items()).isEmpty();
    }

    @Test
    void generated_keys_belong_to_the_last_insert() throws SQLException {
        use("CREATE TABLE numbered(id INTEGER PRIMARY KEY, name TEXT)");
        for (int i = 1; i <= 3; i++) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT INTO numbered(name) VALUES ('x')", Statement.RETURN_GENERATED_KEYS)) {
                try (ResultSet none = statement.getGeneratedKeys()) {
                    assertThat(none.next()).as("before the insert").isFalse();
                }
                statement.executeUpdate();
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getInt(1)).isEqualTo(i);
                }
            }
        }
    }

    // Failures

    @Test
    void a_statement_that_failed_can_be_used_again() throws SQLException {
        for (int i = 0; i < 3; i++) {
            try (PreparedStatement statement = prepare(INSERT)) {
                statement.setString(1, "a");
                assertThatThrownBy(statement::executeUpdate).hasMessageContaining("UNIQUE");
                statement.setString(1, "new" + i);
                assertThat(statement.executeUpdate()).isEqualTo(1);
            }
            try (PreparedStatement statement = prepare("SELECT abs(?)")) {
                statement.setLong(1, Long.MIN_VALUE);
                assertThatThrownBy(() -> read(statement)).hasMessageContaining("integer overflow");
            }
            try (PreparedStatement statement = prepare("SELECT abs(?)")) {
                statement.setLong(1, -7);
                assertThat(read(statement)).containsExactly("7");
            }
        }
        assertThat(items()).containsExactly("a", "b", "c", "new0", "new1", "new2");
    }

    // Changes of the schema

    @Test
    void a_kept_statement_has_the_current_columns_after_a_schema_change() throws SQLException {
        String all = "SELECT * FROM item WHERE name = 'a'";
        use(all);
        for (boolean here : new boolean[] {true, false}) {
            // First this connection changes the schema, which closes its kept statements; then another one does.
            Sql.execute(here ? connection : engine.dataSource().getConnection(), "ALTER TABLE item ADD c" + here);
            Sql.query(connection, "SELECT count(*) FROM item"); // SQLite notices a change when it runs a statement
            try (PreparedStatement statement = prepare(all)) {
                assertThat(statement.getMetaData().getColumnCount()).isEqualTo(here ? 2 : 3);
                assertThat(statement.getMetaData().getColumnName(here ? 2 : 3)).isEqualTo("c" + here);
            }
            try (PreparedStatement statement = prepare(all);
                    ResultSet rows = statement.executeQuery()) {
                assertThat(rows.getMetaData().getColumnCount()).isEqualTo(here ? 2 : 3);
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("c" + here)).isNull();
                assertThat(rows.findColumn("C" + here)).isEqualTo(here ? 2 : 3);
                assertThatThrownBy(() -> rows.findColumn("d")).isInstanceOf(SQLException.class);
            }
            use(all);
        }
        try (PreparedStatement statement = prepare(all)) {
            try (Connection other = engine.dataSource().getConnection()) {
                // ALTER TABLE uses the schema that its connection read last.
                Sql.query(other, "SELECT ctrue FROM item");
                Sql.execute(other, "ALTER TABLE item RENAME COLUMN ctrue TO renamed");
            }
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.findColumn("renamed")).isEqualTo(2);
                assertThat(statement.getMetaData().getColumnName(2)).isEqualTo("renamed");
            }
        }
    }

    @Test
    void a_kept_statement_notices_dropped_and_created_tables() throws SQLException {
        use(QUERY);
        Sql.execute(engine.dataSource(), "DROP TABLE item");
        assertThatThrownBy(() -> use(QUERY)).hasMessageContaining("no such table: item");
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)", "INSERT INTO item VALUES ('new')");
        assertThat(items()).containsExactly("new");
    }

    @Test
    void a_kept_statement_sees_temporary_tables_and_attached_databases() throws SQLException {
        assertThat(items()).containsExactly("a", "b", "c");
        use("CREATE TEMP TABLE item(name TEXT)");
        assertThat(items()).isEmpty();
        use("DROP TABLE temp.item");
        assertThat(items()).containsExactly("a", "b", "c");
        use("ATTACH ':memory:' AS other");
        use("CREATE TABLE other.elsewhere(name TEXT)");
        use("INSERT INTO elsewhere VALUES ('x')");
        use("SELECT * FROM elsewhere");
        use("DETACH other");
        assertThatThrownBy(() -> use("SELECT * FROM elsewhere")).hasMessageContaining("no such table");
        assertThat(items()).containsExactly("a", "b", "c");
    }

    // Read-only connections

    @Test
    void a_kept_statement_cannot_write_on_a_read_only_connection() throws SQLException {
        use("INSERT INTO item VALUES ('x')");
        connection.setReadOnly(true);
        assertThat(items()).containsExactly("a", "b", "c", "x");
        assertThatThrownBy(() -> use("INSERT INTO item VALUES ('y')")).hasMessageContaining("READONLY");
        assertThat(items()).containsExactly("a", "b", "c", "x");
        connection.setReadOnly(false);
        use("INSERT INTO item VALUES ('y')");
        assertThat(items()).containsExactly("a", "b", "c", "x", "y");
    }

    // Ends

    @Test
    void a_statement_is_closed_with_its_connection() throws SQLException {
        PreparedStatement statement = prepare(QUERY);
        sqlite().close();
        assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
        statement.close();
        connection.close();
        assertThat(engine.dataSource().getConnection().isValid(1)).isTrue();
    }

    @Test
    void many_threads_use_statements_with_the_same_sql() {
        Race.run(4, index -> {
            for (int i = 0; i < 500; i++) {
                try (Connection own = engine.dataSource().getConnection();
                        PreparedStatement statement = own.prepareStatement(QUERY)) {
                    statement.setString(1, "b");
                    assertThat(read(statement)).containsExactly("b", "c");
                }
            }
            return true;
        });
    }

    @FunctionalInterface
    private interface SqlAction {
        void run() throws SQLException;
    }
}
