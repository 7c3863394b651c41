package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A connection of an engine behaves as JDBC specifies, because tools rely on that. */
class PlainJdbcTest extends OnEachDatabase {
    @Test
    void a_commit_begins_no_new_transaction() throws SQLException {
        try (Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            Sql.execute(first, insertion("a"));
            first.commit();
            Sql.execute(dataSource, insertion("b"));
            Sql.execute(first, insertion("c"));
            first.rollback();
            Sql.execute(dataSource, insertion("d"));
        }
        assertThat(names()).containsExactly("a", "b", "d");
    }

    @Test
    void a_transaction_begins_with_its_first_statement() throws SQLException {
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            Sql.execute(second, insertion("a"));
            second.commit();
            assertThat(names(first)).containsExactly("a");
            first.rollback();
        }
    }

    @Test
    void switching_auto_commit_on_commits() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            connection.setAutoCommit(true);
            Sql.execute(connection, insertion("b"));
        }
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void closing_a_connection_rolls_its_transaction_back() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
        }
        Sql.execute(dataSource, insertion("b"));
        assertThat(names()).containsExactly("b");
    }

    @Test
    void the_next_borrower_gets_a_clean_connection() throws SQLException {
        DataSource single = poolOfOne();
        int isolation;
        int holdability;
        try (Connection connection = single.getConnection()) {
            isolation = connection.getTransactionIsolation();
            holdability = connection.getHoldability();
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
            connection.setNetworkTimeout(Runnable::run, 60_000);
            connection.setAutoCommit(false);
            assertThat(names(connection)).isEmpty();
        }
        try (Connection connection = single.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.isReadOnly()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            assertThat(connection.getNetworkTimeout()).isZero();
            assertThat((Throwable) connection.getWarnings()).isNull();
            Sql.execute(connection, insertion("a"));
            connection.setHoldability(holdability);
        }
        assertThat(names(single)).containsExactly("a");
    }

    @Test
    void a_transaction_begun_in_sql_is_rolled_back_when_the_connection_returns() throws SQLException {
        DataSource single = poolOfOne();
        try (Connection connection = single.getConnection()) {
            Sql.execute(connection, "BEGIN", insertion("a"));
        }
        try (Connection connection = single.getConnection()) {
            assertThat(names(connection)).isEmpty();
            Sql.execute(connection, insertion("b"));
        }
        assertThat(names(single)).containsExactly("b");
    }

    @Test
    void a_read_only_connection_rejects_writes() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            assertThat(connection.isReadOnly()).isTrue();
            connection.setAutoCommit(false);
            assertThat(names(connection)).isEmpty();
            assertThatThrownBy(() -> Sql.execute(connection, insertion("a"))).isInstanceOf(SQLException.class);
            connection.rollback();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void read_only_in_auto_commit_is_enforced_only_on_sqlite() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            if (isSqlite()) {
                assertThatThrownBy(() -> Sql.execute(connection, insertion("a")))
                        .isInstanceOf(SQLException.class);
            } else {
                Sql.execute(connection, insertion("a"));
            }
        }
        assertThat(names()).hasSize(isSqlite() ? 0 : 1);
    }

    @Test
    void read_only_can_be_switched_between_transactions() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            connection.commit();
            connection.setReadOnly(true);
            assertThat(names(connection)).containsExactly("a");
            connection.commit();
            connection.setReadOnly(false);
            Sql.execute(connection, insertion("b"));
            connection.commit();
        }
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void a_read_only_transaction_stays_read_only() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(names(connection)).isEmpty();
            assertThatThrownBy(() -> connection.setReadOnly(false)).isInstanceOf(SQLException.class);
            connection.commit();
        }
    }

    @Test
    void sqlite_can_make_an_open_transaction_read_only() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            if (isSqlite()) {
                connection.setReadOnly(true);
                assertThatThrownBy(() -> Sql.execute(connection, insertion("b")))
                        .isInstanceOf(SQLException.class);
            } else {
                assertThatThrownBy(() -> connection.setReadOnly(true)).isInstanceOf(SQLException.class);
            }
            connection.commit();
        }
        assertThat(names()).containsExactly("a");
    }

    @Test
    void read_only_transactions_run_concurrently() throws SQLException {
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            for (Connection connection : new Connection[] {first, second}) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                assertThat(names(connection)).isEmpty();
            }
            first.commit();
            second.commit();
        }
    }

    @Test
    void a_read_only_transaction_runs_beside_a_writer_except_in_memory() throws SQLException {
        try (Connection reader = dataSource.getConnection();
                Connection writer = dataSource.getConnection()) {
            reader.setReadOnly(true);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.setAutoCommit(false);
            writer.setAutoCommit(false);
            Sql.execute(writer, insertion("a"));
            if (database == Database.MEMORY) {
                SelfWait.assertRejected(engine, () -> names(reader));
                writer.commit();
            } else {
                assertThat(names(reader)).isEmpty();
                writer.commit();
                assertThat(names(reader)).isEmpty();
            }
            reader.commit();
            assertThat(names(reader)).containsExactly("a");
            reader.commit();
        }
    }

    @Test
    void a_thread_cannot_wait_for_its_own_transaction() throws SQLException {
        try (Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            Sql.execute(first, insertion("a"));
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> Sql.execute(dataSource, insertion("b")));
            } else {
                Sql.execute(dataSource, insertion("b"));
            }
            first.commit();
        }
        Sql.execute(dataSource, insertion("c"));
        assertThat(names()).contains("a", "c");
    }

    @Test
    void an_open_transaction_blocks_reads_on_a_second_connection_only_in_memory() throws SQLException {
        try (Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            Sql.execute(first, insertion("a"));
            if (database == Database.MEMORY) {
                SelfWait.assertRejected(engine, this::names);
            } else {
                assertThat(names()).isEmpty();
            }
            first.commit();
        }
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_writer_of_another_thread_waits_for_its_turn() throws Exception {
        try (Race race = Race.withThreads(1);
                Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            Sql.execute(first, insertion("a"));
            Future<String> other = race.start(() -> {
                Sql.execute(dataSource, insertion("b"));
                return "done";
            });
            if (isSqlite()) {
                assertThatThrownBy(() -> other.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            }
            first.commit();
            assertThat(race.result(other)).isEqualTo("done");
        }
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void isolation_is_the_default_of_the_database_unless_set() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getTransactionIsolation())
                    .isEqualTo(isSqlite() ? Connection.TRANSACTION_SERIALIZABLE : Connection.TRANSACTION_READ_COMMITTED)
                    .isEqualTo(connection.getMetaData().getDefaultTransactionIsolation());
            int[] levels = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            };
            for (int level : levels) {
                connection.setTransactionIsolation(level);
                connection.setAutoCommit(false);
                Sql.execute(connection, insertion("level " + level));
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
        assertThat(names()).hasSize(3);
    }

    @Test
    void cursors_close_at_commit() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
            if (isSqlite()) {
                assertThatThrownBy(() -> connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT))
                        .isInstanceOf(SQLException.class);
            } else {
                connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            }
        }
    }

    @Test
    void generated_keys_are_returned_for_single_rows() throws SQLException {
        String sql = "INSERT INTO item(name) VALUES (?)";
        try (Connection connection = dataSource.getConnection();
                PreparedStatement any = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS);
                PreparedStatement named = connection.prepareStatement(sql, new String[] {"id"});
                PreparedStatement returning = connection.prepareStatement(sql + " RETURNING id")) {
            assertThat(keyAfter(any, "a")).isEqualTo(1);
            assertThat(keyAfter(named, "b")).isEqualTo(2);
            returning.setString(1, "c");
            try (ResultSet keys = returning.executeQuery()) {
                assertThat(keys.next()).isTrue();
                assertThat(keys.getLong("id")).isEqualTo(3);
            }
        }
        assertThat(names()).containsExactly("a", "b", "c");
    }

    private static long keyAfter(PreparedStatement statement, String name) throws SQLException {
        statement.setString(1, name);
        assertThat(statement.executeUpdate()).isEqualTo(1);
        try (ResultSet keys = statement.getGeneratedKeys()) {
            assertThat(keys.next()).isTrue();
            return keys.getLong(1);
        }
    }

    @Test
    void sqlite_has_no_generated_keys_of_batches() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO item(name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            addBatch(statement, "a", "b");
            assertThat(statement.executeBatch()).containsExactly(1, 1);
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertThat(keys.next()).isEqualTo(!isSqlite());
            }
        }
    }

    private static void addBatch(PreparedStatement statement, String... names) throws SQLException {
        for (String name : names) {
            statement.setString(1, name);
            statement.addBatch();
        }
    }

    @Test
    void a_failed_batch_is_rolled_back_with_its_transaction() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("INSERT INTO item(name) VALUES (?)")) {
            connection.setAutoCommit(false);
            addBatch(statement, "a", "a", "b");
            assertThatThrownBy(statement::executeBatch)
                    .isInstanceOf(isSqlite() ? SQLException.class : BatchUpdateException.class);
            connection.rollback();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void savepoints_nest() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            Savepoint outer = connection.setSavepoint();
            Sql.execute(connection, insertion("b"));
            Savepoint inner = connection.setSavepoint("inner");
            Sql.execute(connection, insertion("c"));
            connection.rollback(inner);
            connection.releaseSavepoint(inner);
            Sql.execute(connection, insertion("d"));
            connection.rollback(outer);
            Sql.execute(connection, insertion("e"));
            connection.commit();
        }
        assertThat(names()).containsExactly("a", "e");
    }

    @Test
    void a_transaction_may_begin_with_a_savepoint() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Savepoint savepoint = connection.setSavepoint();
            Sql.execute(connection, insertion("a"));
            connection.rollback(savepoint);
            Sql.execute(connection, insertion("b"));
            connection.commit();
            connection.setSavepoint();
            Sql.execute(connection, insertion("c"));
            connection.rollback();
        }
        assertThat(names()).containsExactly("b");
    }

    @Test
    void a_transaction_survives_a_failed_statement_only_on_sqlite() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            assertThatThrownBy(() -> Sql.execute(connection, insertion("a"))).isInstanceOf(SQLException.class);
            if (isSqlite()) {
                Sql.execute(connection, insertion("b"));
                connection.commit();
            } else {
                assertThatThrownBy(() -> Sql.execute(connection, insertion("b")))
                        .hasMessageContaining("aborted");
                connection.rollback();
            }
        }
        assertThat(names()).hasSize(isSqlite() ? 2 : 0);
    }

    @Test
    void schema_changes_are_part_of_the_transaction() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, "CREATE TABLE other(id INT)", "INSERT INTO other VALUES (1)", insertion("a"));
            connection.rollback();
        }
        assertThat(names()).isEmpty();
        Sql.execute(dataSource, "CREATE TABLE other(id INT)");
    }

    @Test
    void an_unsupported_feature_harms_neither_transaction_nor_connection() throws SQLException {
        DataSource single = poolOfOne();
        String before = session(single);
        try (Connection connection = single.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            assertThatThrownBy(connection::createClob).isInstanceOf(SQLFeatureNotSupportedException.class);
            Sql.execute(connection, insertion("b"));
            connection.commit();
        }
        assertThat(names(single)).containsExactly("a", "b");
        assertThat(session(single)).isEqualTo(before);
    }

    /** Returns a value that only the same physical connection returns again. */
    private String session(DataSource single) throws SQLException {
        if (!isSqlite()) {
            return Sql.query(single, "SELECT pg_backend_pid()");
        }
        Sql.execute(single, "CREATE TEMP TABLE IF NOT EXISTS marker AS SELECT random() AS value");
        return Sql.query(single, "SELECT value FROM marker");
    }

    @Test
    void a_network_timeout_does_not_reach_the_next_user() throws SQLException {
        DataSource single = poolOfOne();
        try (Connection connection = single.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, 200);
            assertThat(connection.getNetworkTimeout()).isEqualTo(200);
            if (!isSqlite()) {
                assertThatThrownBy(() -> Sql.query(connection, "SELECT pg_sleep(60)"))
                        .isInstanceOf(SQLException.class);
            }
        }
        try (Connection connection = single.getConnection()) {
            assertThat(connection.getNetworkTimeout()).isZero();
            Sql.execute(connection, insertion("a"));
        }
        assertThat(names(single)).containsExactly("a");
    }

    @Test
    void a_query_can_be_cancelled_from_another_thread() throws Exception {
        String endless = isSqlite()
                ? "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
                : "SELECT pg_sleep(60)";
        try (Race race = Race.withThreads(1);
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, insertion("a"));
            try (Statement statement = connection.createStatement()) {
                Future<Boolean> query = race.start(() -> statement.execute(endless));
                assertThatThrownBy(() -> cancelUntilDone(statement, query))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(SQLException.class);
            }
            connection.rollback();
            Sql.execute(connection, insertion("b"));
            connection.commit();
        }
        assertThat(names()).containsExactly("b");
    }

    private static boolean cancelUntilDone(Statement statement, Future<Boolean> query) throws Exception {
        while (true) {
            try {
                return query.get(50, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                statement.cancel(); // a cancel has no effect before the query has begun
            }
        }
    }

    @Test
    void a_query_timeout_ends_a_query_of_postgresql() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThat(statement.execute("SELECT 1")).isTrue();
            if (!isSqlite()) {
                assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    @Test
    void an_aborted_connection_is_replaced() throws SQLException {
        DataSource single = poolOfOne();
        Connection connection = single.getConnection();
        connection.setAutoCommit(false);
        Sql.execute(connection, insertion("a"));
        connection.abort(Runnable::run);
        try {
            connection.close();
        } catch (SQLException e) {
            // HikariCP may report that it cannot roll back.
        }
        Sql.execute(single, insertion("b"));
        assertThat(names(single)).containsExactly("b");
    }

    @Test
    void a_long_result_set_is_read_while_the_transaction_writes() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement read = connection.createStatement();
                PreparedStatement write = connection.prepareStatement("INSERT INTO item(name) VALUES (?)")) {
            connection.setAutoCommit(false);
            Sql.execute(connection, manyRows(1000));
            read.setFetchSize(100);
            int rows = 0;
            try (ResultSet items = read.executeQuery("SELECT name FROM item WHERE name LIKE 'row%' ORDER BY id")) {
                while (items.next()) {
                    write.setString(1, "copy of " + items.getString(1));
                    write.executeUpdate();
                    rows++;
                }
            }
            connection.commit();
            assertThat(rows).isEqualTo(1000);
        }
        assertThat(names()).hasSize(2000);
    }

    private static String manyRows(int count) {
        return "INSERT INTO item(name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                + count + ") SELECT 'row ' || i FROM n";
    }

    @Test
    void an_open_result_set_blocks_writers_only_in_memory() throws SQLException {
        Sql.execute(dataSource, manyRows(10));
        try (Connection reader = dataSource.getConnection();
                Statement read = reader.createStatement();
                ResultSet items = read.executeQuery("SELECT name FROM item")) {
            assertThat(items.next()).isTrue();
            if (database == Database.MEMORY) {
                SelfWait.assertRejected(engine, () -> Sql.execute(dataSource, insertion("a")));
            } else {
                Sql.execute(dataSource, insertion("a"));
            }
        }
        Sql.execute(dataSource, insertion("b"));
    }

    @Test
    void a_thread_that_holds_every_connection_of_the_pool_gets_no_more() throws SQLException {
        DataSource single = poolOfOne();
        try (Connection connection = single.getConnection()) {
            assertThatThrownBy(single::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            Sql.execute(connection, insertion("a"));
        }
        assertThat(names(single)).containsExactly("a");
    }

    @Test
    void metadata_names_database_and_tables() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData metadata = connection.getMetaData();
            assertThat(metadata.getDatabaseProductName()).isEqualTo(isSqlite() ? "SQLite" : "PostgreSQL");
            assertThat(metadata.getURL()).startsWith(isSqlite() ? "jdbc:sqlite:" : "jdbc:postgresql:");
            assertThat(metadata.supportsTransactions()).isTrue();
            assertThat(metadata.supportsSavepoints()).isTrue();
            assertThat(metadata.supportsBatchUpdates()).isTrue();
            assertThat(metadata.supportsGetGeneratedKeys()).isTrue();
            assertThat(metadata.getConnection()).isSameAs(connection);
            try (ResultSet tables = metadata.getTables(null, null, "item", new String[] {"TABLE"})) {
                assertThat(tables.next()).isTrue();
            }
            try (ResultSet keys = metadata.getPrimaryKeys(null, null, "item")) {
                assertThat(keys.next()).isTrue();
                assertThat(keys.getString("COLUMN_NAME")).isEqualTo("id");
            }
        }
    }

    @Test
    void metadata_takes_no_lock() throws SQLException {
        try (Connection first = dataSource.getConnection()) {
            first.setAutoCommit(false);
            first.getMetaData().getDatabaseProductVersion();
            assertThat(first.isValid(1)).isTrue();
            Sql.execute(dataSource, insertion("a"));
            first.rollback();
        }
        assertThat(names()).containsExactly("a");
    }
}
