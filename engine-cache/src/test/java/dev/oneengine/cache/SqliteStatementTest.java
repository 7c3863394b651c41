package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** JDBC's rules for statements, for plain and prepared ones. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {false, true})
class SqliteStatementTest {
    private static final String ENDLESS =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

    @Parameter
    boolean prepared;

    private final EngineCache cache = EngineCache.create();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = cache.engine("sqlite:///:memory:").dataSource().getConnection();
        connection.createStatement().execute("CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT)");
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private Statement statement(String sql) throws SQLException {
        return prepared ? connection.prepareStatement(sql) : connection.createStatement();
    }

    private static boolean execute(Statement statement, String sql) throws SQLException {
        return statement instanceof PreparedStatement same ? same.execute() : statement.execute(sql);
    }

    private static ResultSet query(Statement statement, String sql) throws SQLException {
        return statement instanceof PreparedStatement same ? same.executeQuery() : statement.executeQuery(sql);
    }

    @Test
    void generated_keys_are_closed_by_the_next_keys_and_with_the_statement() throws SQLException {
        String insert = "INSERT INTO item(name) VALUES ('a')";
        Statement statement = statement(insert);
        execute(statement, insert);
        ResultSet keys = statement.getGeneratedKeys();
        assertThat(keys.next()).isTrue();
        assertThat(keys.getLong(1)).isEqualTo(1);

        ResultSet again = statement.getGeneratedKeys();
        assertThat(keys.isClosed()).isTrue();
        assertThat(again.next()).isTrue();
        assertThat(again.getLong(1)).isEqualTo(1);

        execute(statement, insert);
        assertThat(again.isClosed()).isTrue();
        ResultSet last = statement.getGeneratedKeys();
        assertThat(last.next()).isTrue();
        assertThat(last.getLong(1)).isEqualTo(2);

        statement.close();
        assertThat(last.isClosed()).isTrue();
    }

    @Test
    void a_result_set_is_closed_with_its_statement() throws SQLException {
        String select = "SELECT 1 UNION SELECT 2";
        Statement statement = statement(select);
        ResultSet rows = query(statement, select);
        assertThat(rows.next()).isTrue();

        statement.close();

        assertThat(rows.isClosed()).isTrue();
        assertThat(statement.isClosed()).isTrue();
        assertThatThrownBy(() -> query(statement, select)).isInstanceOf(SQLException.class);
        assertThatThrownBy(statement::getResultSet).isInstanceOf(SQLException.class);
    }

    @Test
    void the_row_limit_applies_until_it_is_changed() throws SQLException {
        String select = "SELECT 1 UNION SELECT 2 UNION SELECT 3";
        Statement statement = statement(select);
        for (int limit : new int[] {2, 1, 0}) {
            statement.setMaxRows(limit);
            int count = 0;
            for (ResultSet rows = query(statement, select); rows.next(); ) {
                count++;
            }
            assertThat(count).isEqualTo(limit == 0 ? 3 : limit);
        }
    }

    @Test
    void the_fetch_size_that_was_set_is_returned() throws SQLException {
        Statement statement = statement("SELECT 1");
        statement.setFetchSize(7);
        assertThat(statement.getFetchSize()).isEqualTo(7);
    }

    @Test
    void the_next_execution_closes_an_unread_result_set() throws SQLException {
        String select = "SELECT 1 UNION SELECT 2";
        Statement statement = statement(select);
        assertThat(execute(statement, select)).isTrue();
        assertThat(execute(statement, select)).isTrue();

        ResultSet rows = statement.getResultSet();

        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
        assertThatThrownBy(statement::getResultSet).hasMessageContaining("already returned");
        assertThat(statement.getMoreResults()).isFalse();
        assertThat(rows.isClosed()).isTrue();
        assertThat(statement.getResultSet()).isNull();
    }

    @Test
    void a_running_statement_can_be_cancelled() throws Exception {
        Statement statement = statement(ENDLESS);
        FutureTask<ResultSet> run = new FutureTask<>(() -> query(statement, ENDLESS));
        new Thread(run, "endless").start();

        Awaitility.await().until(() -> {
            statement.cancel(); // one before the start is lost
            return run.isDone();
        });

        assertThatThrownBy(() -> run.get(1, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SQLException.class);
        assertThat(query(statement("SELECT 1"), "SELECT 1").next()).isTrue();
    }

    @Test
    void cancelling_a_closed_statement_does_not_end_another_one() throws SQLException {
        Statement closed = statement("SELECT 1");
        execute(closed, "SELECT 1");
        closed.close();
        String select = "SELECT 1 UNION SELECT 2";
        ResultSet rows = query(statement(select), select);
        assertThat(rows.next()).isTrue();

        closed.cancel();

        assertThat(rows.next()).isTrue();
    }

    @Test
    void closing_a_statement_ends_its_execution_in_another_thread() throws Exception {
        Statement statement = statement(ENDLESS);
        FutureTask<ResultSet> run = new FutureTask<>(() -> query(statement, ENDLESS));
        Thread endless = new Thread(run, "endless");
        endless.start();
        SqliteConnection sqlite = connection.unwrap(SqliteConnection.class);
        Awaitility.await().until(() -> !sqlite.getAutoCommit()); // so while the driver runs a statement

        statement.close();

        assertThatThrownBy(() -> run.get(10, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SQLException.class);
        assertThat(query(statement("SELECT 1"), "SELECT 1").next()).isTrue();
    }
}
