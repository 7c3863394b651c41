package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.ThreadStates;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.jdbc4.JDBC4Statement;

/**
 * Plain JDBC on an engine of SQLite: every reported outcome is true, and a connection carries nothing over to its next
 * user.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource(names = {"MEMORY", "FILE"})
class SqliteConnectionTest {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private Engine engine;
    private DataSource dataSource;

    @BeforeEach
    void open() throws SQLException {
        open(EngineSettings.defaults());
    }

    private void open(EngineSettings settings) throws SQLException {
        open(database.url(directory), settings);
    }

    private void open(String url, EngineSettings settings) throws SQLException {
        cache.evict(url);
        engine = cache.engine(url, settings);
        dataSource = engine.dataSource();
        Sql.execute(dataSource, "CREATE TABLE IF NOT EXISTS item(name TEXT PRIMARY KEY)", "DELETE FROM item");
    }

    private static EngineSettings.Builder settings() {
        return EngineSettings.builder();
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private static void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO item VALUES (?)")) {
            statement.setString(1, name);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private List<String> items() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return items(connection);
        }
    }

    private static List<String> items(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT name FROM item ORDER BY name");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private Connection transaction() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Fails at once, without the busy timeout, if a lock or a turn excludes a writer. */
    private void assertThatNobodyHoldsALock() throws SQLException {
        try (Race race = Race.withThreads(1)) {
            race.result(race.start(() -> {
                try (Admission turn = engine.enter(AccessMode.WRITE, Duration.ZERO);
                        Connection connection = turn.connection()) {
                    connection.setAutoCommit(false);
                    insert(connection, "probe");
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                return true;
            }));
        }
    }

    // Begin, commit, roll back

    @Test
    void a_transaction_begins_with_its_first_statement_and_commit_begins_nothing() throws SQLException {
        try (Connection connection = transaction()) {
            assertThatNobodyHoldsALock();
            connection.commit();
            connection.rollback();
            insert(connection, "a");
            connection.commit();
            assertThatNobodyHoldsALock();
            insert(connection, "b");
            connection.rollback();
            assertThatNobodyHoldsALock();
            connection.commit();
        }
        assertThat(items()).containsExactly("a");
    }

    @Test
    void switching_auto_commit_on_commits() throws SQLException {
        try (Connection connection = transaction()) {
            insert(connection, "a");
            connection.setAutoCommit(true);
            assertThatNobodyHoldsALock();
            connection.setAutoCommit(true);
            insert(connection, "b");
            assertThatThrownBy(connection::rollback)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("in auto-commit mode");
            assertThatThrownBy(connection::commit).hasMessageContaining(engine.url() + " in auto-commit mode");
        }
        assertThat(items()).containsExactly("a", "b");
    }

    @Test
    void a_connection_that_is_closed_within_a_transaction_rolls_it_back() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = transaction()) {
            insert(connection, "a");
        }
        try (Connection connection = transaction()) {
            insert(connection, "b");
            connection.rollback();
        }
        assertThat(items()).isEmpty();
        assertThatNobodyHoldsALock();
    }

    @Test
    void a_failed_commit_leaves_the_transaction_open() throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE child(parent TEXT REFERENCES item(name) DEFERRABLE INITIALLY DEFERRED)");
        try (Connection connection = transaction()) {
            insert(connection, "a");
            Sql.execute(connection, "INSERT INTO child VALUES ('none')");
            assertThatThrownBy(connection::commit).hasMessageContaining("FOREIGN KEY");
            Sql.execute(connection, "DELETE FROM child");
            connection.commit();
            Sql.execute(connection, "INSERT INTO child VALUES ('none')");
            assertThatThrownBy(connection::commit).hasMessageContaining("FOREIGN KEY");
            connection.rollback();
        }
        assertThat(items()).containsExactly("a");
        assertThatNobodyHoldsALock();
    }

    // What SQLite itself rolls back

    @Test
    void a_transaction_that_sqlite_rolls_back_cannot_be_committed() throws SQLException {
        try (Connection connection = transaction()) {
            insert(connection, "a");
            connection.commit();
            insert(connection, "before");
            SQLException failure = catchThrowableOfType(
                    SQLException.class, () -> Sql.execute(connection, "INSERT OR ROLLBACK INTO item VALUES ('a')"));
            assertThatThrownBy(() -> {
                        throw failure.getNextException();
                    })
                    .isInstanceOf(SQLTransactionRollbackException.class)
                    .hasMessageContaining("rolled back the transaction on " + engine.url());
            insert(connection, "after");
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLTransactionRollbackException.class)
                    .hasMessageContaining("Cannot commit on " + engine.url())
                    .hasCause(failure);
            insert(connection, "next");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "next");
        assertThatNobodyHoldsALock();
    }

    @Test
    void a_transaction_lost_to_sqlite_affects_neither_later_work_nor_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        for (int i = 0; i < 2; i++) {
            try (Connection connection = transaction()) {
                assertThatThrownBy(() -> Sql.execute(connection, "INSERT OR ROLLBACK INTO item VALUES ('a')"))
                        .isInstanceOf(SQLException.class);
                if (i == 0) {
                    connection.rollback();
                    insert(connection, "b");
                    connection.commit();
                }
            }
        }
        try (Connection connection = transaction()) {
            insert(connection, "c");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void switching_auto_commit_on_reports_a_transaction_that_was_rolled_back() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = transaction()) {
            insert(connection, "b");
            assertThatThrownBy(() -> Sql.execute(connection, "INSERT OR ROLLBACK INTO item VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).hasMessageContaining("Cannot commit");
            assertThat(connection.getAutoCommit()).isFalse();
            connection.setAutoCommit(true);
        }
        assertThat(items()).containsExactly("a");
    }

    /**
     * While rows are open, an interrupt of SQLite also ends all later statements, even the query for the state of the
     * transaction.
     */
    @Tag("slow")
    @Test
    void cancelling_a_write_beside_open_rows_rolls_back_the_transaction() throws Exception {
        for (int i = 0; i < 100; i++) {
            Sql.execute(dataSource, "INSERT INTO item VALUES ('item " + i + "')");
        }
        try (Connection connection = transaction();
                Statement reader = connection.createStatement();
                ResultSet rows = reader.executeQuery("SELECT name FROM item");
                Statement writer = connection.createStatement();
                Race race = Race.withThreads(1)) {
            insert(connection, "before");
            rows.next();
            AtomicBoolean failed = new AtomicBoolean();
            Future<Boolean> cancelling = race.start(() -> {
                await().until(() -> {
                    writer.cancel();
                    return failed.get();
                });
                return true;
            });
            assertThatThrownBy(() -> writer.executeUpdate("INSERT INTO item WITH RECURSIVE n(i) AS"
                            + " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'endless ' || i FROM n"))
                    .isInstanceOf(SQLException.class);
            failed.set(true);
            assertThat(race.result(cancelling)).isTrue();
            connection.rollback();
        }
        assertThat(items()).hasSize(100);
        assertThatNobodyHoldsALock();
    }

    /**
     * An interrupt lasts as long as any statement runs, so SQLite cannot report whether the transaction is still open.
     * A statement that the connection does not know about has the same effect as a second cancel at the wrong moment.
     */
    @Test
    void a_failure_of_unknown_outcome_requires_a_rollback() throws SQLException {
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        for (String end : List.of("commit", "rollback", "ROLLBACK", "setAutoCommit", "close")) {
            try (Connection connection = transaction()) {
                insert(connection, "before");
                SQLException failure = failWithUnknownOutcome(connection);
                assertThat(failure.getErrorCode()).isEqualTo(SQLiteErrorCode.SQLITE_INTERRUPT.code);
                assertThat((Throwable) failure.getNextException())
                        .isInstanceOf(SQLTransactionRollbackException.class)
                        .hasMessageContaining(engine.url().toString());
                for (Action action : List.<Action>of(
                        () -> insert(connection, "after"),
                        () -> Sql.query(connection, "SELECT name FROM item"),
                        () -> Sql.execute(connection, "COMMIT"),
                        () -> Sql.execute(connection, "BEGIN"),
                        connection::setSavepoint)) {
                    assertThatThrownBy(action::run)
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining(engine.url().toString())
                            .hasMessageContaining("roll back")
                            .cause()
                            .isSameAs(failure);
                }
                switch (end) {
                    case "commit" -> assertThatThrownBy(connection::commit).hasCause(failure);
                    case "rollback" -> connection.rollback();
                    case "ROLLBACK" -> {
                        assertThatThrownBy(() -> Sql.execute(connection, "ROLLBACK TO before"))
                                .isInstanceOf(SQLException.class);
                        assertThatThrownBy(() -> Sql.execute(connection, "COMMIT"))
                                .hasCause(failure);
                        Sql.execute(connection, end);
                    }
                    case "setAutoCommit" ->
                        assertThatThrownBy(() -> connection.setAutoCommit(true)).hasCause(failure);
                    default -> {}
                }
                if (!end.equals("close")) {
                    insert(connection, "next");
                    connection.rollback();
                }
            }
            assertThat(items()).containsExactly("a");
            assertThatNobodyHoldsALock();
        }
        Sql.execute(dataSource, "INSERT INTO item VALUES ('b')");
        assertThat(items()).containsExactly("a", "b");
    }

    /** The same rule applies to a transaction that SQL began. */
    @Test
    void an_unknown_outcome_in_a_transaction_begun_in_sql_requires_a_rollback() throws SQLException {
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = dataSource.getConnection()) {
            Sql.execute(connection, "BEGIN", "INSERT INTO item VALUES ('b')");
            failWithUnknownOutcome(connection);
            assertThatThrownBy(() -> insert(connection, "after")).hasMessageContaining("roll back");
        }
        assertThat(items()).containsExactly("a");
    }

    @Test
    void a_commit_of_unknown_outcome_requires_a_rollback() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = transaction()) {
            insert(connection, "a");
            SQLException failure;
            try (Statement unknown = new JDBC4Statement(connection.unwrap(SQLiteConnection.class));
                    ResultSet rows = unknown.executeQuery("SELECT name FROM item");
                    Statement statement = connection.createStatement()) {
                assertThat(rows.next()).isTrue();
                statement.cancel();
                failure = catchThrowableOfType(SQLException.class, connection::commit);
            }
            assertThat((Throwable) failure.getNextException()).isInstanceOf(SQLTransactionRollbackException.class);
            assertThatThrownBy(() -> insert(connection, "b"))
                    .hasMessageContaining("roll back")
                    .cause()
                    .isSameAs(failure);
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLTransactionRollbackException.class)
                    .cause()
                    .isSameAs(failure);
            insert(connection, "c");
            connection.commit();
        }
        assertThat(items()).containsExactly("c");
    }

    private interface Action {
        void run() throws SQLException;
    }

    private static SQLException failWithUnknownOutcome(Connection connection) throws SQLException {
        SQLiteConnection real = connection.unwrap(SQLiteConnection.class);
        try (Statement unknown = new JDBC4Statement(real);
                ResultSet rows = unknown.executeQuery("SELECT name FROM item");
                Statement writer = connection.createStatement()) {
            assertThat(rows.next()).isTrue();
            writer.cancel();
            return catchThrowableOfType(
                    SQLException.class, () -> writer.executeUpdate("INSERT INTO item VALUES ('cancelled')"));
        }
    }

    @Test
    void a_script_that_sqlite_rolls_back_cannot_be_committed() throws SQLException {
        try (Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            insert(connection, "a");
            assertThatThrownBy(() -> statement.executeUpdate(
                            "INSERT INTO item VALUES ('b'); INSERT OR ROLLBACK INTO item VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            insert(connection, "c");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLTransactionRollbackException.class);
        }
        assertThat(items()).isEmpty();
    }

    @Test
    void a_transaction_begun_in_sql_ends_when_sqlite_rolls_it_back() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = dataSource.getConnection()) {
            Sql.execute(connection, "BEGIN", "INSERT INTO item VALUES ('b')");
            assertThatThrownBy(() -> Sql.execute(connection, "INSERT OR ROLLBACK INTO item VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            assertThatNobodyHoldsALock();
            Sql.execute(connection, "INSERT INTO item VALUES ('c')");
            Sql.execute(connection, "BEGIN", "INSERT INTO item VALUES ('d')", "COMMIT");
        }
        assertThat(items()).containsExactly("a", "c", "d");
    }

    /** The open rows of the write keep SQLite from ending the transaction that queries the state. */
    @Test
    void an_open_result_set_of_a_write_does_not_hide_a_lost_transaction() throws SQLException {
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = transaction();
                Statement writer = connection.createStatement()) {
            assertThat(writer.executeQuery("INSERT INTO item VALUES ('b'), ('c') RETURNING name")
                            .next())
                    .isTrue();
            assertThatThrownBy(() -> Sql.execute(connection, "INSERT OR ROLLBACK INTO item VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            connection.rollback();
        }
        assertThatNobodyHoldsALock();
        for (String sql : List.of("SELECT 1; SELECT 2", "COMMIT", "RELEASE none", "INSERT INTO item VALUES ('d')")) {
            try (Connection connection = dataSource.getConnection();
                    Statement writer = connection.createStatement();
                    Statement other = connection.createStatement()) {
                assertThat(writer.executeQuery("INSERT INTO item VALUES ('b'), ('c') RETURNING name")
                                .next())
                        .isTrue();
                try {
                    other.executeUpdate(sql);
                } catch (SQLException e) {
                    assertThat(sql).isIn("COMMIT", "RELEASE none");
                }
            }
            assertThatNobodyHoldsALock();
            try (Race race = Race.withThreads(1)) {
                List<String> kept = race.result(race.start(this::items));
                assertThat(kept).as(sql).contains("a", "b", "c");
            }
            Sql.execute(dataSource, "DELETE FROM item WHERE name <> 'a'");
        }
    }

    @Test
    void cancelling_while_generated_keys_are_open_does_not_hide_a_lost_transaction() throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE IF NOT EXISTS numbered(id INTEGER PRIMARY KEY, name TEXT)");
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "CREATE TABLE IF NOT EXISTS numbered(id INTEGER PRIMARY KEY, name TEXT)");
        try (Connection connection = transaction();
                Statement statement = connection.createStatement();
                Statement other = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO numbered(name) VALUES ('a')");
            assertThat(statement.getGeneratedKeys().next()).isTrue();
            other.cancel();
            try {
                other.executeUpdate("INSERT INTO numbered(name) VALUES ('b')");
            } catch (SQLException e) {
                assertThat(e.getErrorCode()).isEqualTo(SQLiteErrorCode.SQLITE_INTERRUPT.code);
            }
            connection.rollback();
        }
        assertThatNobodyHoldsALock();
        Sql.execute(dataSource, "INSERT INTO numbered(name) VALUES ('c')");
        assertThat(Sql.query(dataSource, "SELECT group_concat(name) FROM numbered"))
                .isEqualTo("c");
        Sql.execute(dataSource, "DROP TABLE numbered");
    }

    @Test
    void sql_that_commits_before_it_fails_reports_no_rollback() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            insert(connection, "b");
            assertThatThrownBy(() -> statement.executeUpdate("COMMIT; nonsense"))
                    .satisfies(e -> assertThat(((SQLException) e).getNextException() == null)
                            .isTrue());
            connection.commit();
            assertThatThrownBy(() -> statement.execute("INSERT OR ROLLBACK INTO item VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            insert(connection, "lost");
            assertThatThrownBy(() -> statement.execute("COMMIT")).isInstanceOf(SQLTransactionRollbackException.class);
            statement.execute("ROLLBACK");
            insert(connection, "c");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "b", "c");
    }

    @Test
    void an_ordinary_failure_does_not_end_the_transaction() throws SQLException {
        try (Connection connection = transaction()) {
            insert(connection, "a");
            assertThatThrownBy(() -> insert(connection, "a"))
                    .isInstanceOf(SQLiteException.class)
                    .satisfies(e -> assertThat(((SQLException) e).getNextException() == null)
                            .isTrue());
            assertThatThrownBy(() -> Sql.execute(connection, "nonsense")).hasMessageContaining("syntax error");
            insert(connection, "b");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "b");
    }

    // Result sets

    @Test
    void an_open_result_set_holds_no_lock_after_the_transaction() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        for (boolean commit : List.of(true, false)) {
            try (Connection connection = transaction()) {
                ResultSet rows = connection.createStatement().executeQuery("SELECT name FROM item");
                assertThat(rows.next()).isTrue();
                Statement waiting = connection.createStatement();
                assertThat(waiting.execute("SELECT name FROM item")).isTrue();
                PreparedStatement prepared = connection.prepareStatement("SELECT name FROM item");
                assertThat(prepared.execute()).isTrue();
                if (commit) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                assertThatNobodyHoldsALock();
                assertThat(rows.isClosed()).isTrue();
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void in_auto_commit_mode_the_last_row_releases_the_lock() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("SELECT name FROM item")) {
            for (ResultSet rows : List.of(statement.executeQuery("SELECT name FROM item"), prepared.executeQuery())) {
                while (rows.next()) {
                    assertThat(rows.getString(1)).isNotNull();
                }
                assertThat(rows.isAfterLast()).isTrue();
                assertThat(rows.next()).isFalse();
            }
            assertThatNobodyHoldsALock();

            statement.setMaxRows(1);
            ResultSet limited = statement.executeQuery("SELECT name FROM item");
            assertThat(limited.next()).isTrue();
            assertThat(limited.next()).isFalse();
            assertThatNobodyHoldsALock();
            assertThat(limited.next()).isFalse();
            statement.setMaxRows(0);

            statement.executeQuery("SELECT name FROM item").close();
            assertThatNobodyHoldsALock();

            assertThat(statement.execute("SELECT name FROM item")).isTrue();
            assertThat(statement.getMoreResults()).isFalse();
            assertThatNobodyHoldsALock();

            assertThat(prepared.execute()).isTrue();
            assertThat(prepared.getMoreResults()).isFalse();
            assertThatNobodyHoldsALock();

            assertThat(statement.execute("SELECT name FROM item")).isTrue();
            assertThat(statement.executeUpdate("INSERT INTO item VALUES ('c')")).isEqualTo(1);
            assertThatNobodyHoldsALock();

            ResultSet returned = statement.executeQuery("INSERT INTO item VALUES ('d'), ('e') RETURNING name");
            assertThat(returned.next()).isTrue();
            returned.close();
            assertThatNobodyHoldsALock();
        }
        assertThat(items()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void executing_a_statement_again_closes_its_former_result_set() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT name FROM item WHERE name >= ?")) {
            statement.setString(1, "a");
            ResultSet first = statement.executeQuery();
            assertThat(first.next()).isTrue();
            statement.setString(1, "b");
            ResultSet second = statement.executeQuery();
            assertThat(first.isClosed()).isTrue();
            assertThat(first.next()).isFalse();
            first.close();
            assertThat(second.next()).isTrue();
            assertThat(second.getString(1)).isEqualTo("b");
            assertThat(second.getStatement().unwrap(PreparedStatement.class)).isNotNull();
            assertThatThrownBy(statement::getResultSet).hasMessageContaining("already returned");
        }
    }

    @Test
    void a_connection_may_write_while_it_reads_rows() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Connection connection = dataSource.getConnection();
                Statement reader = connection.createStatement();
                ResultSet rows = reader.executeQuery("SELECT name FROM item ORDER BY name")) {
            rows.next();
            Sql.execute(connection, "UPDATE item SET name = 'b2' WHERE name = 'b'");
            assertThat(rows.next()).isTrue();
            assertThat(rows.next()).isFalse();
        }
        assertThatNobodyHoldsALock();
        assertThat(items()).containsExactly("a", "b2");
    }

    @Test
    void a_query_that_fails_at_a_later_row_is_not_run_again() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('1'), ('x')");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT CASE name WHEN '1' THEN 1 ELSE abs(-9223372036854775808) END FROM item ORDER BY name")) {
            assertThat(rows.next()).isTrue();
            assertThatThrownBy(rows::next).hasMessageContaining("overflow");
            assertThat(rows.next()).isFalse();
            assertThatNobodyHoldsALock();
        }
    }

    @Test
    void a_statement_without_rows_has_no_result_set() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("INSERT INTO item VALUES ('b')")) {
            assertThat(statement.execute("INSERT INTO item VALUES ('a')")).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getResultSet()).isNull();
            assertThat(prepared.execute()).isFalse();
            assertThat(prepared.getResultSet()).isNull();
            assertThatThrownBy(() -> statement.executeQuery("DELETE FROM item")).hasMessageContaining("ResultSet");
            statement.execute("SELECT name FROM item");
            statement.getMoreResults();
            assertThat(statement.getResultSet()).isNull();
        }
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query = connection.prepareStatement("SELECT 1")) {
            assertThat(query.execute()).isTrue();
            query.getMoreResults();
            assertThat(query.getResultSet()).isNull();
            query.execute();
            query.execute();
            query.cancel();
            assertThat(query.getResultSet().next()).isTrue();
        }
        assertThatNobodyHoldsALock();
    }

    @Test
    void generated_keys_can_be_switched_off_in_the_url() throws SQLException {
        String url = database.url(directory);
        open(url + (url.contains("?") ? "&" : "?") + "jdbc.get_generated_keys=false", EngineSettings.defaults());
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("INSERT INTO item VALUES ('b')")) {
            statement.executeUpdate("INSERT INTO item VALUES ('a')");
            prepared.executeUpdate();
            assertThat(key(statement)).isEqualTo("no row");
            assertThat(key(prepared)).isEqualTo("no row");
        }
    }

    /**
     * With a write-ahead log, a reader blocks no writer. So a connection that only reads on after its write blocks none
     * either.
     */
    @Test
    void a_connection_that_continues_reading_after_a_write_to_a_file_holds_no_writing_turn() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Connection connection = dataSource.getConnection();
                Statement reader = connection.createStatement();
                ResultSet rows = reader.executeQuery("SELECT name FROM item ORDER BY name")) {
            rows.next();
            insert(connection, "c");
            if (database == Database.FILE) {
                assertThatNobodyHoldsALock();
            }
            assertThat(Sql.query(connection, "PRAGMA user_version")).isEqualTo("0");
        }
        assertThatNobodyHoldsALock();
    }

    @Test
    void an_open_result_set_of_a_write_holds_the_writing_turn() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement writer = connection.createStatement();
                ResultSet rows = writer.executeQuery("INSERT INTO item VALUES ('a'), ('b') RETURNING name");
                Race race = Race.withThreads(1)) {
            assertThat(rows.next()).isTrue();
            assertThat(race.outcome(race.start(() -> engine.enter(AccessMode.WRITE, Duration.ZERO)))
                            .failure())
                    .isInstanceOf(SQLTimeoutException.class);
        }
        assertThatNobodyHoldsALock();
        assertThat(items()).containsExactly("a", "b");
    }

    // Read-only

    @Test
    void a_read_only_transaction_reads_one_snapshot_and_cannot_write() throws SQLException {
        open(settings().poolSize(2).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection reader = dataSource.getConnection()) {
            reader.setReadOnly(true);
            assertThat(reader.isReadOnly()).isTrue();
            reader.setAutoCommit(false);
            assertThat(items(reader)).containsExactly("a");
            assertThatThrownBy(() -> insert(reader, "b")).hasMessageContaining("readonly");
            assertThatThrownBy(() -> reader.setReadOnly(false)).hasMessageContaining("cannot start to write");
            if (database == Database.FILE) {
                Sql.execute(dataSource, "INSERT INTO item VALUES ('c')");
                assertThat(items(reader)).containsExactly("a");
            }
            reader.commit();
            reader.setReadOnly(false);
            insert(reader, "d");
            reader.rollback();
        }
        try (Connection next = dataSource.getConnection()) {
            assertThat(next.isReadOnly()).isFalse();
            insert(next, "e");
        }
        assertThat(items()).contains("a", "e").doesNotContain("b", "d");
    }

    @Test
    void read_only_transactions_run_concurrently_and_beside_a_writer_on_a_file() throws Exception {
        try (Race race = Race.withThreads(2)) {
            CyclicBarrier bothRead = new CyclicBarrier(2);
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(race.start(() -> {
                    try (Connection reader = dataSource.getConnection()) {
                        reader.setReadOnly(true);
                        reader.setAutoCommit(false);
                        int size = items(reader).size();
                        bothRead.await(30, TimeUnit.SECONDS);
                        reader.commit();
                        return size;
                    }
                }));
            }
            readers.forEach(reader -> assertThat(race.result(reader)).isZero());
            if (database == Database.FILE) {
                try (Connection writer = transaction()) {
                    insert(writer, "a");
                    List<String> seen = race.result(race.start(this::items));
                    assertThat(seen).isEmpty();
                    writer.commit();
                }
            }
        }
    }

    @Test
    void an_open_transaction_can_be_made_read_only_temporarily() throws SQLException {
        try (Connection connection = transaction()) {
            insert(connection, "a");
            connection.setReadOnly(true);
            assertThatThrownBy(() -> insert(connection, "b")).hasMessageContaining("readonly");
            connection.setReadOnly(false);
            insert(connection, "c");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "c");
    }

    @Test
    void a_returned_read_only_transaction_does_not_restrict_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        for (int i = 0; i < 2; i++) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setReadOnly(true);
                if (i == 0) {
                    connection.setAutoCommit(false);
                } else {
                    Sql.execute(connection, "BEGIN");
                }
                assertThat(items(connection)).isEmpty();
            }
        }
        assertThatNobodyHoldsALock();
    }

    @Test
    void a_read_only_transaction_that_has_ended_does_not_restrict_the_next_one() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(items(connection)).isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);

            Sql.execute(connection, "BEGIN");
            connection.setReadOnly(true);
            connection.setReadOnly(false);
            insert(connection, "a");
            Sql.execute(connection, "COMMIT");
        }
        assertThat(items()).containsExactly("a");
    }

    @Test
    void read_only_also_applies_in_auto_commit_mode() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            assertThatThrownBy(() -> insert(connection, "a")).hasMessageContaining("readonly");
            assertThat(items(connection)).isEmpty();
        }
        Sql.execute(dataSource, "INSERT INTO item VALUES ('b')");
        assertThat(items()).containsExactly("b");
    }

    @Test
    void a_read_only_transaction_cannot_begin_with_a_write() throws SQLException {
        try (Connection reader = transaction()) {
            reader.setReadOnly(true);
            assertThat(reader.unwrap(SQLiteConnection.class).isReadOnly()).isTrue();
            assertThatThrownBy(() -> insert(reader, "a")).hasMessageContaining("readonly");
            reader.commit();
        }
        assertThat(items()).isEmpty();
    }

    @Test
    void a_query_timeout_applies_only_to_its_statement() throws SQLException {
        open(settings().busyTimeout(Duration.ofSeconds(3)).build());
        try (Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(7);
            statement.executeUpdate("DELETE FROM item");
            assertThat(Sql.query(connection, "PRAGMA busy_timeout")).isEqualTo("3000");
        }
    }

    @Test
    void read_only_also_applies_to_pragmas_that_the_library_does_not_list() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            assertThatThrownBy(() -> Sql.execute(connection, "PRAGMA default_cache_size = 77"))
                    .hasMessageContaining("readonly");
        }
    }

    // What returns to the pool

    @Test
    void a_transaction_begun_in_sql_ends_when_the_connection_is_returned() throws SQLException {
        open(settings().poolSize(1).build());
        for (String begin : List.of("BEGIN", "BEGIN IMMEDIATE", "; begin exclusive", "/* now */ SAVEPOINT mine")) {
            try (Connection connection = dataSource.getConnection()) {
                Sql.execute(connection, begin);
                insert(connection, "lost");
                connection.clearWarnings(); // the user may call it, too; the pool calls it on return
                assertThat(items(connection)).containsExactly("lost");
            }
            assertThat(items()).as(begin).isEmpty();
            assertThatNobodyHoldsALock();
        }
    }

    @Test
    void sql_can_begin_and_end_a_transaction() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            Sql.execute(connection, "BEGIN", "INSERT INTO item VALUES ('a')", "COMMIT");
            assertThatNobodyHoldsALock();
            Sql.execute(connection, "BEGIN IMMEDIATE", "INSERT INTO item VALUES ('b')", "ROLLBACK");
            assertThatNobodyHoldsALock();
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("BEGIN; INSERT INTO item VALUES ('c'); COMMIT");
                assertThatNobodyHoldsALock();
                statement.executeUpdate("BEGIN; INSERT INTO item VALUES ('d')");
                statement.executeUpdate("INSERT INTO item VALUES ('e'); ROLLBACK");
                assertThatNobodyHoldsALock();
            }
            connection.setAutoCommit(false);
            Sql.execute(connection, "INSERT INTO item VALUES ('f')", "COMMIT", "INSERT INTO item VALUES ('g')");
            connection.rollback();
        }
        assertThat(items()).containsExactly("a", "c", "f");
        assertThatNobodyHoldsALock();
    }

    @Test
    void open_transactions_and_changed_settings_do_not_reach_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Connection connection = dataSource.getConnection()) {
            ResultSet rows = connection.createStatement().executeQuery("SELECT name FROM item");
            assertThat(rows.next()).isTrue();
            Statement hidden = connection.unwrap(SQLiteConnection.class).createStatement();
            assertThat(hidden.executeQuery("SELECT name FROM item").next()).isTrue();
            Sql.execute(connection, "PRAGMA main.\"query_only\" = 1");
            assertThatThrownBy(() -> insert(connection, "c")).hasMessageContaining("readonly");
        }
        assertThatNobodyHoldsALock();
        Sql.execute(dataSource, "INSERT INTO item VALUES ('d')");
        assertThat(items()).containsExactly("a", "b", "d");
    }

    @Test
    void pragmas_in_scripts_batches_and_explain_do_not_reach_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        for (String text : List.of("script", "batch", "prepared", "explained")) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                switch (text) {
                    case "script" -> statement.executeUpdate("PRAGMA query_only = 1; PRAGMA cache_size = 100");
                    case "batch" -> {
                        statement.addBatch("PRAGMA cache_size");
                        statement.addBatch("PRAGMA query_only = 1");
                        assertThatThrownBy(statement::executeBatch).isInstanceOf(SQLException.class);
                    }
                    case "prepared" ->
                        connection.prepareStatement("PRAGMA query_only = 1").close();
                    default -> statement.execute("EXPLAIN PRAGMA query_only = 1");
                }
            }
            Sql.execute(dataSource, "INSERT INTO item VALUES ('" + text + "')");
        }
        assertThat(items()).hasSize(4);
    }

    @Test
    void a_pragma_of_one_user_does_not_lift_read_only_for_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            Sql.execute(connection, "PRAGMA query_only = 0");
            insert(connection, "a");
        }
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            assertThatThrownBy(() -> insert(connection, "b")).hasMessageContaining("readonly");
        }
        assertThat(items()).containsExactly("a");
    }

    @Test
    void settings_changed_on_the_unwrapped_connection_do_not_reach_the_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            Connection raw = connection.unwrap(SQLiteConnection.class);
            raw.setAutoCommit(false);
            raw.setReadOnly(true);
        }
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            insert(connection, "a");
            connection.unwrap(SQLiteConnection.class).setAutoCommit(false);
        }
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            connection.unwrap(SQLiteConnection.class).setReadOnly(true);
        }
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.isReadOnly()).isFalse();
            Sql.execute(connection, "DELETE FROM item", "INSERT INTO item VALUES ('a')");
        }
        assertThat(items()).containsExactly("a");
        try (Connection connection = transaction()) {
            insert(connection.unwrap(SQLiteConnection.class), "lost"); // the pool does not notice the open transaction
        }
        assertThat(items()).containsExactly("a");
        try (Connection connection = dataSource.getConnection()) {
            connection.abort(Runnable::run);
        }
        assertThat(items()).containsExactly("a");
    }

    /** Imitates an {@code Error} during the return of a connection, which a test cannot cause reliably. */
    @Test
    void a_connection_not_cleaned_on_return_is_cleaned_for_its_next_user() throws SQLException {
        open(settings().poolSize(1).build());
        SqliteConnection real;
        try (Connection connection = dataSource.getConnection()) {
            real = connection.unwrap(SqliteConnection.class);
        }
        real.setAutoCommit(false);
        insert(real, "lost");
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(items(connection)).isEmpty();
        }
    }

    @Test
    void a_read_only_connection_rejects_the_restore_command() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setReadOnly(true);
            assertThatThrownBy(() -> statement.executeUpdate("restore from " + directory.resolve("none.db")))
                    .hasMessageContaining("cannot restore on a read-only connection");
        }
        assertThat(items()).containsExactly("a");
    }

    @Test
    void a_transaction_left_open_on_an_unwrapped_connection_is_rolled_back() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            Connection raw = connection.unwrap(SQLiteConnection.class);
            raw.setAutoCommit(false);
            insert(raw, "a");
            raw.rollback();
            insert(raw, "b");
            raw.commit();
            raw.setAutoCommit(true);
            Sql.execute(raw, "BEGIN IMMEDIATE");
            insert(raw, "c");
        }
        assertThat(items()).containsExactly("b");
        assertThatNobodyHoldsALock();
    }

    @Test
    void an_open_result_set_of_an_unwrapped_connection_does_not_hide_later_commits() throws SQLException {
        open(settings().poolSize(2).build());
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection second = dataSource.getConnection()) {
            try (Connection first = dataSource.getConnection()) {
                Statement reader = first.unwrap(SQLiteConnection.class).createStatement();
                assertThat(reader.executeQuery("SELECT name FROM item").next()).isTrue();
            }
            insert(second, "b");
            try (Connection next = dataSource.getConnection()) {
                assertThat(items(next)).containsExactly("a", "b");
            }
        }
    }

    /** HikariCP recognises neither as a transaction to roll back, and resets the connection within it. */
    @Test
    void a_read_only_connection_returned_within_a_transaction_releases_its_turn() throws SQLException {
        for (String work : List.of("savepoint", "BEGIN")) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setReadOnly(true);
                if (work.equals("savepoint")) {
                    connection.setAutoCommit(false);
                    connection.setSavepoint();
                } else {
                    Sql.execute(connection, work);
                }
            }
            try (Connection connection = transaction()) {
                assertThat(connection.isReadOnly()).isFalse();
                insert(connection, work);
                connection.commit();
            }
        }
        assertThat(items()).containsExactly("BEGIN", "savepoint");
        assertThatNobodyHoldsALock();
    }

    // Savepoints

    @Test
    void savepoints() throws SQLException {
        try (Connection connection = transaction()) {
            Savepoint first = connection.setSavepoint();
            insert(connection, "a");
            Savepoint second = connection.setSavepoint("second");
            insert(connection, "b");
            connection.rollback(second);
            insert(connection, "c");
            connection.releaseSavepoint(second);
            connection.releaseSavepoint(first);
            connection.commit();
            connection.setAutoCommit(true);
            assertThatThrownBy(connection::setSavepoint).hasMessageContaining("in auto-commit mode");
        }
        assertThat(items()).containsExactly("a", "c");
        assertThatNobodyHoldsALock();
    }

    // Keys, batches, metadata

    @Test
    void each_statement_returns_its_own_generated_keys() throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE numbered(id INTEGER PRIMARY KEY, name TEXT)");
        try (Connection connection = dataSource.getConnection();
                PreparedStatement first = connection.prepareStatement(
                        "INSERT INTO numbered(name) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
                Statement second = connection.createStatement()) {
            first.setString(1, "one");
            first.executeUpdate();
            second.executeUpdate(
                    "WITH t(n) AS (SELECT 'two') INSERT INTO numbered(name) SELECT n FROM t",
                    Statement.RETURN_GENERATED_KEYS);
            assertThat(key(first)).isEqualTo("1");
            assertThat(key(second)).isEqualTo("2");
            assertThat(key(second)).isEqualTo("2");
            assertThatNobodyHoldsALock();
            second.executeUpdate("UPDATE numbered SET name = 'three'");
            assertThat(key(second)).isEqualTo("no row");
            first.setString(1, "four");
            first.executeUpdate();
            assertThat(key(first)).isEqualTo("3");
        }
        Sql.execute(dataSource, "DROP TABLE numbered");
    }

    private static String key(Statement statement) throws SQLException {
        ResultSet keys = statement.getGeneratedKeys();
        return keys.next() ? keys.getString(1) : "no row";
    }

    @Test
    void batches() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement plain = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("INSERT INTO item VALUES (?)")) {
            assertThat(plain.executeBatch()).isEmpty();
            assertThat(prepared.executeBatch()).isEmpty();
            plain.addBatch("INSERT INTO item VALUES ('a')");
            plain.addBatch("UPDATE item SET name = 'b'");
            assertThat(plain.executeBatch()).containsExactly(1, 1);
            prepared.setString(1, "c");
            prepared.addBatch();
            prepared.setString(1, "d");
            prepared.addBatch();
            assertThat(prepared.executeBatch()).containsExactly(1, 1);
            assertThatNobodyHoldsALock();

            plain.addBatch("INSERT INTO item VALUES ('e')");
            plain.clearBatch();
            plain.addBatch("INSERT INTO item VALUES ('f')");
            plain.addBatch("INSERT INTO item VALUES ('f')");
            assertThatThrownBy(plain::executeBatch).isInstanceOf(BatchUpdateException.class);
            assertThatNobodyHoldsALock();

            plain.addBatch("BEGIN");
            plain.addBatch("INSERT INTO item VALUES ('g')");
            plain.addBatch("ROLLBACK");
            plain.executeBatch();
            assertThatNobodyHoldsALock();
        }
        assertThat(items()).containsExactly("b", "c", "d", "f");
    }

    @Test
    void metadata() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT name FROM item")) {
            assertThat(statement.getMetaData().getColumnName(1)).isEqualTo("name");
            statement.executeQuery().close();
            assertThat(statement.getMetaData().getColumnName(1)).isEqualTo("name");
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "item", null)) {
                assertThat(tables.next()).isTrue();
            }
            try (ResultSet columns = connection.getMetaData().getColumns(null, null, "item", null)) {
                assertThat(columns.next()).isTrue();
            }
            assertThatNobodyHoldsALock();
            assertThat(connection.isValid(1)).isTrue();
            assertThatThrownBy(() -> connection.isValid(-1)).isInstanceOf(SQLException.class);
        }
    }

    /** The driver's metadata relies on this. */
    @Test
    void a_statement_of_the_driver_closes_with_its_result_set() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            for (boolean closes : new boolean[] {true, false}) {
                SqliteStatement statement = connection.createStatement().unwrap(SqliteStatement.class);
                try (ResultSet rows = statement.executeQuery("SELECT 1", closes)) {
                    assertThat(rows.next()).isTrue();
                }
                assertThat(statement.isClosed()).isEqualTo(closes);
            }
        }
    }

    @Test
    void close_on_completion_closes_a_statement_with_its_result_set() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");
        try (Connection connection = dataSource.getConnection()) {
            Statement statement = connection.createStatement();
            statement.closeOnCompletion();
            ResultSet rows = statement.executeQuery("SELECT name FROM item");
            assertThat(rows.next()).isTrue();
            rows.close();
            assertThat(statement.isClosed()).isTrue();
            assertThatNobodyHoldsALock();
            assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
            statement.close();
        }
    }

    @Test
    void the_busy_timeout_can_be_read_and_set_by_a_pragma() throws SQLException {
        open(settings().poolSize(1).busyTimeout(Duration.ofMillis(1234)).build());
        try (Connection connection = dataSource.getConnection()) {
            assertThat(Sql.query(connection, "PRAGMA busy_timeout")).isEqualTo("1234");
            Sql.execute(connection, "PRAGMA busy_timeout = 7");
            assertThat(Sql.query(connection, "PRAGMA busy_timeout")).isEqualTo("7");
            try (PreparedStatement statement = connection.prepareStatement("PRAGMA busy_timeout = 8")) {
                statement.execute();
            }
            assertThat(connection.unwrap(SQLiteConnection.class).getBusyTimeout())
                    .isEqualTo(8);
        }
    }

    @Test
    void calls_that_the_driver_does_not_support_fail() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() ->
                            connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.prepareStatement(
                            "SELECT 1", ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::createClob).isInstanceOf(SQLFeatureNotSupportedException.class);
            assertThatThrownBy(() -> connection.prepareStatement("nonsense")).hasMessageContaining("syntax error");
        }
    }

    // The queue

    /** In memory, the first statement on a connection reads the schema, and so waits for a writer. */
    @Test
    void preparing_a_statement_beside_a_writer_leaks_no_turn() throws Exception {
        open(settings().poolSize(2).build());
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Race race = Race.withThreads(1);
                Connection writer = transaction();
                Connection fresh = dataSource.getConnection()) {
            Sql.execute(writer, "CREATE TABLE other(x)");
            Future<Boolean> preparing = race.start(() -> {
                thread.set(Thread.currentThread());
                try (PreparedStatement statement = fresh.prepareStatement("SELECT name FROM item")) {
                    return statement.getMetaData().getColumnCount() == 1;
                }
            });
            if (database == Database.MEMORY) {
                ThreadStates.awaitTimedWait(thread);
            }
            writer.rollback();
            assertThat(race.result(preparing)).isTrue();
            assertThatNobodyHoldsALock();
        }
    }

    @RepeatedTest(5)
    void all_writers_queue_in_the_order_of_their_arrival() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        try (Race race = Race.withThreads(6);
                Connection first = transaction()) {
            insert(first, "first");
            List<Future<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                AtomicReference<Thread> thread = new AtomicReference<>();
                writers.add(race.start(() -> {
                    try (Connection connection = dataSource.getConnection()) {
                        connection.setAutoCommit(number % 2 == 0);
                        thread.set(Thread.currentThread());
                        if (number % 3 == 0) {
                            insert(connection, "item " + number);
                        } else {
                            Sql.execute(connection, "INSERT INTO item VALUES ('item " + number + "')");
                        }
                        order.add(number);
                        if (!connection.getAutoCommit()) {
                            connection.commit();
                        }
                    }
                    return true;
                }));
                ThreadStates.awaitTimedWait(thread);
            }
            assertThat(order).isEmpty();
            first.commit();
            writers.forEach(race::result);
        }
        assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        assertThat(items()).hasSize(7);
    }

    @Test
    void a_wait_fails_after_the_busy_timeout_with_the_code_of_sqlite() throws Exception {
        open(settings().busyTimeout(Duration.ofMillis(5)).build());
        try (Race race = Race.withThreads(1);
                Connection writer = transaction()) {
            insert(writer, "a");
            for (boolean autoCommit : List.of(true, false)) {
                SQLiteException failure = (SQLiteException) race.outcome(race.start(() -> {
                            try (Connection connection = dataSource.getConnection()) {
                                connection.setAutoCommit(autoCommit);
                                insert(connection, "b");
                            }
                            return true;
                        }))
                        .failure();
                assertThat(failure.getErrorCode()).isEqualTo(SQLiteErrorCode.SQLITE_BUSY.code);
                assertThat((Throwable) failure)
                        .hasMessageContaining("has waited PT0.005S for its turn on " + engine.url())
                        .hasMessageContaining("thread " + Thread.currentThread().getName() + " is writing");
            }
            writer.commit();
        }
        assertThatNobodyHoldsALock();
        assertThat(items()).containsExactly("a");
    }

    @Tag("slow")
    @Test
    void the_query_timeout_of_a_statement_limits_its_wait() throws Exception {
        open(settings().busyTimeout(Duration.ofMinutes(5)).build());
        try (Race race = Race.withThreads(1);
                Connection writer = transaction()) {
            insert(writer, "a");
            Throwable failure = race.outcome(race.start(() -> {
                        try (Connection connection = dataSource.getConnection();
                                Statement statement = connection.createStatement()) {
                            statement.setQueryTimeout(1);
                            return statement.executeUpdate("INSERT INTO item VALUES ('b')");
                        }
                    }))
                    .failure();
            assertThat(failure).hasMessageContaining("has waited PT1S for its turn");
        }
    }

    @RepeatedTest(10)
    void a_wait_ends_when_its_statement_is_cancelled_or_its_thread_interrupted() throws Exception {
        open(settings().busyTimeout(Duration.ofMinutes(5)).build());
        for (boolean cancel : List.of(true, false)) {
            try (Race race = Race.withThreads(1);
                    Connection writer = transaction();
                    Connection other = dataSource.getConnection();
                    Statement statement = other.createStatement()) {
                insert(writer, "a");
                AtomicReference<Thread> thread = new AtomicReference<>();
                Future<Boolean> waiting = race.start(() -> {
                    thread.set(Thread.currentThread());
                    SQLException failure = catchThrowableOfType(
                            SQLException.class, () -> statement.executeUpdate("INSERT INTO item VALUES ('b')"));
                    assertThat(failure.getErrorCode()).isEqualTo(SQLiteErrorCode.SQLITE_INTERRUPT.code);
                    return Thread.interrupted();
                });
                ThreadStates.awaitTimedWait(thread);
                if (cancel) {
                    statement.cancel();
                } else {
                    thread.get().interrupt();
                }
                assertThat(race.result(waiting)).isEqualTo(!cancel);
                writer.rollback();
                assertThat(statement.executeUpdate("INSERT INTO item VALUES ('c')"))
                        .isEqualTo(1);
                Sql.execute(other, "DELETE FROM item");
            }
        }
    }

    @Test
    void waiting_for_a_turn_of_the_same_thread_fails_at_once() throws SQLException {
        open(settings().busyTimeout(Duration.ofMinutes(5)).build());
        try (Connection first = transaction();
                Connection second = dataSource.getConnection()) {
            insert(first, "a");
            for (String sql : database == Database.MEMORY
                    ? List.of("INSERT INTO item VALUES ('b')", "SELECT name FROM item")
                    : List.of("INSERT INTO item VALUES ('b')")) {
                assertThatThrownBy(() -> Sql.execute(second, sql))
                        .isInstanceOf(SQLNonTransientException.class)
                        .isNotInstanceOf(SQLiteException.class)
                        .hasMessageContainingAll(
                                "would wait for ever for itself", engine.url().toString());
            }
            if (database == Database.FILE) {
                assertThat(items(second)).isEmpty();
            }
            first.commit();
            insert(second, "b");
        }
        assertThat(items()).containsExactly("a", "b");
    }

    @RepeatedTest(10)
    void a_pool_exhausted_by_waiting_threads_is_detected_at_once() throws Exception {
        open(settings()
                .poolSize(2)
                .busyTimeout(Duration.ofMinutes(5))
                .connectionTimeout(Duration.ofMinutes(5))
                .build());
        try (Race race = Race.withThreads(1);
                Connection writer = transaction()) {
            insert(writer, "a");
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                try (Connection connection = dataSource.getConnection()) {
                    thread.set(Thread.currentThread());
                    insert(connection, "b");
                    return true;
                }
            });
            ThreadStates.awaitTimedWait(thread);
            assertThatThrownBy(dataSource::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContainingAll("would wait for ever for another connection", "all 2 connections");
            writer.commit();
            assertThat(race.result(waiting)).isTrue();
        }
        assertThat(items()).containsExactly("a", "b");
    }

    /** Sixteen threads write in four ways at once: exactly the rows reported as committed are there. */
    @Tag("slow")
    @Test
    void concurrent_writers_of_all_kinds_lose_no_row_and_none_fails() throws Exception {
        int rounds = 50;
        Race.run(16, i -> {
            for (int n = 0; n < rounds; n++) {
                String name = i + "-" + n;
                if (i % 4 == 3) {
                    try (Admission turn = engine.enter(AccessMode.WRITE, Duration.ofMinutes(1));
                            Connection connection = turn.connection()) {
                        insert(connection, name);
                    }
                    continue;
                }
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(i % 4 == 0);
                    insert(connection, name);
                    if (i % 4 == 1) {
                        connection.commit();
                    } else if (i % 4 == 2) {
                        connection.rollback();
                    }
                }
            }
            return i;
        });
        assertThat(items()).hasSize(12 * rounds);
        assertThatNobodyHoldsALock();
    }

    // The end

    @Test
    void evicting_does_not_wait_for_waiting_threads() throws Exception {
        open(settings().busyTimeout(Duration.ofMinutes(5)).build());
        CountDownLatch started = new CountDownLatch(3);
        try (Race race = Race.withThreads(4)) {
            Connection writer = transaction();
            insert(writer, "a");
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                AtomicReference<Thread> thread = new AtomicReference<>();
                waiting.add(race.start(() -> {
                    try (Connection connection = dataSource.getConnection()) {
                        started.countDown();
                        thread.set(Thread.currentThread());
                        insert(connection, "b");
                    }
                    return true;
                }));
                ThreadStates.awaitTimedWait(thread);
            }
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            race.result(race.start(() -> {
                engine.close();
                return true;
            }));
            for (Future<Boolean> future : waiting) {
                assertThat(race.outcome(future).failure())
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("was closed");
            }
            assertThatThrownBy(() -> insert(writer, "c")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> engine.enter(AccessMode.READ, Duration.ZERO))
                    .isInstanceOf(EngineClosedException.class);
        }
        if (database == Database.FILE) {
            engine = cache.engine(database.url(directory));
            dataSource = engine.dataSource();
            assertThat(items()).isEmpty();
        }
    }

    /** An interrupt between two statements of a batch is lost, so closing must interrupt repeatedly. */
    @Test
    void evicting_does_not_wait_for_the_end_of_a_batch() throws Exception {
        try (Race race = Race.withThreads(1)) {
            CountDownLatch started = new CountDownLatch(1);
            Future<Boolean> batch = race.start(() -> {
                try (Connection connection = transaction();
                        PreparedStatement statement = connection.prepareStatement("INSERT OR IGNORE INTO item"
                                + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                                + " SELECT ? || i FROM n")) {
                    statement.setString(1, "item");
                    statement
                            // begins the transaction, so that closing does not end its wait for a turn instead
                            .executeUpdate();
                    for (int i = 0; i < 100_000; i++) {
                        statement.addBatch();
                    }
                    started.countDown();
                    statement.executeBatch();
                }
                return true;
            });
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            engine.close();
            assertThat(race.outcome(batch).failure())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("The connection to " + engine.url() + " was closed");
        }
    }

    @Test
    void evicting_does_not_wait_for_the_next_row_of_a_query() throws Exception {
        try (Race race = Race.withThreads(1)) {
            CountDownLatch started = new CountDownLatch(1);
            Future<Boolean> query = race.start(() -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("WITH RECURSIVE n(i) AS"
                                + " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i = 1 OR i < 0")) {
                    assertThat(rows.next()).isTrue();
                    started.countDown();
                    return rows.next();
                }
            });
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            engine.close();
            assertThat(race.outcome(query).failure()).isInstanceOf(SQLException.class);
        }
    }

    /** Another thread gives the reading turn back while its connection waits to write. */
    @RepeatedTest(10)
    void aborting_a_reader_that_waits_to_write_leaks_no_turn() throws Exception {
        if (database == Database.FILE) {
            return;
        }
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a'), ('b')");
        try (Race race = Race.withThreads(1);
                Connection reader = dataSource.getConnection();
                ResultSet rows = reader.createStatement().executeQuery("SELECT name FROM item");
                Connection victim = dataSource.unwrap(DriverDataSource.class).getConnection()) {
            assertThat(rows.next()).isTrue();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                assertThat(victim.createStatement()
                                .executeQuery("SELECT name FROM item")
                                .next())
                        .isTrue();
                thread.set(Thread.currentThread());
                insert(victim, "c");
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            victim.abort(Runnable::run);
            assertThat(race.outcome(waiting).failure()).hasMessageContaining("was closed");
        }
        assertThatNobodyHoldsALock();
    }

    /**
     * A watchdog may close a connection of another thread. That thread must not begin a transaction after the
     * connection is back in the pool.
     */
    @RepeatedTest(10)
    void closing_a_connection_during_its_statements_leaks_no_turn() throws Exception {
        open(settings().poolSize(2).busyTimeout(Duration.ofMinutes(5)).build());
        for (int round = 0; round < 20; round++) {
            Connection connection = transaction();
            AtomicReference<Thread> thread = new AtomicReference<>();
            boolean waits = round % 2 == 0;
            try (Race race = Race.withThreads(2)) {
                Admission turn = engine.enter(AccessMode.WRITE, Duration.ofMinutes(1));
                Future<Boolean> user = race.start(() -> {
                    thread.set(Thread.currentThread());
                    useUntilClosed(connection);
                    return true;
                });
                ThreadStates.awaitTimedWait(thread);
                if (!waits) {
                    turn.close();
                }
                connection.close();
                turn.close();
                assertThat(race.result(user)).isTrue();
            }
            assertThatNobodyHoldsALock();
        }
    }

    /** Concurrent statements, aborts and closes: the JVM does not crash, and the turn is free afterwards. */
    @RepeatedTest(20)
    void aborting_and_closing_connections_during_statements_leaks_no_turn() throws Exception {
        DriverDataSource driver = dataSource.unwrap(DriverDataSource.class);
        for (int round = 0; round < 10; round++) {
            Connection connection = driver.getConnection();
            Statement statement = connection.createStatement();
            CyclicBarrier start = new CyclicBarrier(4);
            Race.run(4, i -> {
                start.await(30, TimeUnit.SECONDS);
                switch (i) {
                    case 0 -> useUntilClosed(connection);
                    case 1 -> connection.abort(Runnable::run);
                    case 2 -> connection.close();
                    default -> statement.cancel();
                }
                return i;
            });
            assertThat(connection.isClosed()).isTrue();
            connection.abort(Runnable::run);
            connection.close();
        }
        assertThatNobodyHoldsALock();
        assertThat(items()).isEmpty();
    }

    private static void useUntilClosed(Connection connection) {
        try {
            connection.setAutoCommit(false);
            while (true) {
                insert(connection, "a");
                connection.rollback();
            }
        } catch (SQLException | NullPointerException e) {
            assertThat(connection).isNotNull(); // the driver's message for a closed statement
        }
    }

    @Test
    void a_closed_connection_reports_that_it_is_closed() throws SQLException {
        Connection connection = dataSource.unwrap(DriverDataSource.class).getConnection();
        Statement statement = connection.createStatement();
        connection.close();
        assertThatThrownBy(connection::createStatement).hasMessageContaining("was closed");
        assertThatThrownBy(() -> connection.setAutoCommit(false)).hasMessageContaining("was closed");
        assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
        assertThat(connection.isValid(0)).isFalse();
    }

    @Test
    void using_a_closed_statement_or_result_set_does_not_evict_the_connection() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            PreparedStatement prepared = connection.prepareStatement("SELECT 1");
            Statement plain = connection.createStatement();
            ResultSet first = prepared.executeQuery();
            ResultSet second = plain.executeQuery("SELECT 1");
            prepared.close();
            plain.close();
            List<Callable<?>> uses = List.of(
                    prepared::executeQuery,
                    () -> plain.executeQuery("SELECT 1"),
                    prepared::isCloseOnCompletion,
                    () -> first.getString(1),
                    () -> second.getString(1),
                    () -> first.findColumn("1"));
            for (Callable<?> use : uses) {
                assertThatThrownBy(use::call).isInstanceOf(SQLException.class);
            }
            assertThat(connection.unwrap(SqliteConnection.class).isClosed()).isFalse();
            assertThat(items(connection)).isEmpty();
        }
    }

    @Test
    void the_first_use_of_a_connection_closed_below_the_pool_evicts_it() throws SQLException {
        List<ConnectionUse> uses = List.of(
                Connection::createStatement,
                connection -> connection.prepareStatement("SELECT 1"),
                connection -> connection.setAutoCommit(false),
                Connection::setSavepoint,
                Connection::clearWarnings,
                connection -> connection.getMetaData().getTables(null, null, null, null));
        for (ConnectionUse use : uses) {
            Connection closed;
            try (Connection connection = dataSource.getConnection()) {
                closed = connection.unwrap(SqliteConnection.class);
                closed.close();
                assertThatThrownBy(() -> use.with(connection))
                        .hasMessageContaining(engine.url().toString());
            }
            try (Connection connection = dataSource.getConnection()) {
                assertThat(connection.unwrap(SqliteConnection.class)).isNotSameAs(closed);
                assertThat(items(connection)).isEmpty();
            }
        }
    }

    private interface ConnectionUse {
        void with(Connection connection) throws SQLException;
    }

    @Test
    void a_connection_closed_below_the_pool_does_not_return_to_it() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            connection.unwrap(SQLiteConnection.class).close();
            assertThatThrownBy(() -> insert(connection, "a")).isInstanceOf(SQLException.class);
        }
        Sql.execute(dataSource, "INSERT INTO item VALUES ('b')");
        assertThat(items()).containsExactly("b");
        assertThat(dataSource
                        .unwrap(HikariDataSource.class)
                        .getHikariPoolMXBean()
                        .getActiveConnections())
                .isZero();
    }

    /**
     * If this failure made the pool evict the connection, the transaction of a caller that reads past the last row
     * would be lost.
     */
    @Test
    void a_closed_result_set_keeps_the_connection_and_its_transaction() throws SQLException {
        open(settings().poolSize(1).build());
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, "a");
            ResultSet rows = connection.createStatement().executeQuery("SELECT name FROM item");
            rows.close();
            assertThatThrownBy(() -> rows.getString("name")).hasMessage("ResultSet closed");
            insert(connection, "b");
            connection.commit();
        }
        assertThat(items()).containsExactly("a", "b");
    }
}
