package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.ThreadStates;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A connection of the plain driver locks the file outside the queue, like another process. */
@Timeout(60)
class ForeignLockTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final EngineCache cache = EngineCache.create();
    private Path file;
    private Connection foreign;

    @BeforeEach
    void open(@TempDir Path directory) throws SQLException {
        file = directory.resolve("test.db");
        try (EngineCache first = EngineCache.create()) {
            Sql.execute(first.engine("jdbc:sqlite:" + file).dataSource(), "CREATE TABLE item(name TEXT)");
        }
        foreign = DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    @AfterEach
    void close() throws SQLException {
        foreign.close();
        cache.close();
    }

    private Engine engine(String parameters, Duration busyTimeout) {
        return cache.engine(
                "jdbc:sqlite:" + file + parameters,
                EngineSettings.builder().poolSize(2).busyTimeout(busyTimeout).build());
    }

    private static String items(Connection connection) throws SQLException {
        return Sql.query(connection, "SELECT group_concat(name, ' ') FROM item");
    }

    /**
     * Guards against a defect of the driver's own transactions, which commits the next user's work despite a rollback.
     */
    @Test
    void a_failed_begin_leaves_the_connection_unchanged() throws SQLException {
        Engine engine = engine("", Duration.ofMillis(1));
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(foreign, "BEGIN IMMEDIATE");
            for (int i = 0; i < 2; i++) {
                SQLiteException failure = catchThrowableOfType(
                        SQLiteException.class, () -> Sql.execute(connection, "INSERT INTO item VALUES ('a')"));
                assertThat(failure.getErrorCode()).isEqualTo(SQLiteErrorCode.SQLITE_BUSY.code);
                engine.enter(AccessMode.WRITE, Duration.ZERO).close(); // the failed begin has returned its turn
            }
            connection.commit();
            connection.rollback();
        }
        Sql.execute(foreign, "ROLLBACK");
        for (int i = 0; i < 3; i++) {
            try (Connection connection = engine.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                Sql.execute(connection, "INSERT INTO item VALUES ('b')");
                connection.rollback();
                Sql.execute(connection, "INSERT INTO item VALUES ('c" + i + "')");
                connection.commit();
                Sql.execute(foreign, "BEGIN IMMEDIATE", "ROLLBACK");
            }
        }
        assertThat(items(foreign)).isEqualTo("c0 c1 c2");
    }

    /** With a rollback journal, a reader makes the commit fail; the transaction stays open and loses nothing. */
    @Test
    void a_commit_that_fails_because_of_a_lock_can_be_repeated() throws SQLException {
        Sql.execute(foreign, "PRAGMA journal_mode = DELETE");
        Engine engine = engine("?journal_mode=DELETE", Duration.ofMillis(1));
        Sql.execute(foreign, "INSERT INTO item VALUES ('a')");
        try (Connection connection = engine.dataSource().getConnection();
                Statement reader = foreign.createStatement()) {
            connection.setAutoCommit(false);
            ResultSet rows = reader.executeQuery("SELECT name FROM item");
            Sql.execute(connection, "INSERT INTO item VALUES ('b')");
            assertThatThrownBy(connection::commit).hasMessageContaining("SQLITE_BUSY");
            rows.close();
            connection.commit();
            connection.rollback();
        }
        assertThat(items(foreign)).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void evicting_does_not_wait_for_a_lock(boolean autoCommit) throws SQLException {
        Engine engine = engine("", LONG);
        Sql.execute(foreign, "BEGIN IMMEDIATE");
        try (Race race = Race.withThreads(1)) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                try (Connection connection = engine.dataSource().getConnection()) {
                    connection.setAutoCommit(autoCommit);
                    thread.set(Thread.currentThread());
                    Sql.execute(connection, "INSERT INTO item VALUES ('a')");
                }
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            engine.close();
            assertThat(race.outcome(waiting).failure())
                    .isInstanceOf(SQLException.class)
                    .hasMessage("The connection to " + engine.url() + " was closed");
        }
        Sql.execute(foreign, "COMMIT");
        assertThat(Sql.query(foreign, "SELECT count(*) FROM item")).isEqualTo("0");
    }

    @Test
    void evicting_does_not_wait_for_a_commit_blocked_by_a_lock() throws SQLException {
        Sql.execute(foreign, "PRAGMA journal_mode = DELETE");
        Engine engine = engine("?journal_mode=DELETE", LONG);
        Sql.execute(foreign, "INSERT INTO item VALUES ('a')");
        try (Race race = Race.withThreads(1);
                Statement reader = foreign.createStatement();
                ResultSet rows = reader.executeQuery("SELECT name FROM item")) {
            assertThat(rows.next()).isTrue();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                try (Connection connection = engine.dataSource().getConnection()) {
                    connection.setAutoCommit(false);
                    Sql.execute(connection, "INSERT INTO item VALUES ('b')");
                    thread.set(Thread.currentThread());
                    connection.commit();
                }
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            engine.close();
            assertThat(race.outcome(waiting).failure())
                    .isInstanceOf(SQLException.class)
                    .hasMessage("The connection to " + engine.url() + " was closed");
        }
        assertThat(items(foreign)).isEqualTo("a");
    }

    @Test
    void the_query_timeout_of_the_first_statement_limits_the_wait_of_its_transaction() throws SQLException {
        Engine engine = engine("", LONG);
        Sql.execute(foreign, "BEGIN IMMEDIATE");
        try (Connection connection = engine.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO item VALUES ('a')"))
                    .hasMessageContaining("SQLITE_BUSY");
            assertThat(Sql.query(foreign, "PRAGMA busy_timeout")).isNotEqualTo("1000");
        }
        Sql.execute(foreign, "COMMIT");
    }

    @Test
    void an_interrupt_ends_the_wait_for_a_lock() throws SQLException {
        Engine engine = engine("", LONG);
        Sql.execute(foreign, "BEGIN IMMEDIATE");
        try (Race race = Race.withThreads(1)) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')"))
                        .isInstanceOf(SQLiteException.class);
                return Thread.interrupted();
            });
            ThreadStates.awaitTimedWait(thread);
            await().until(() -> {
                thread.get().interrupt();
                return waiting.isDone();
            });
            assertThat(race.result(waiting)).isTrue();
        }
    }

    @Test
    void a_wait_for_a_lock_ends_when_it_is_released() throws SQLException {
        Engine engine = engine("", LONG);
        Sql.execute(foreign, "BEGIN IMMEDIATE");
        try (Race race = Race.withThreads(1)) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')");
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            Sql.execute(foreign, "COMMIT");
            assertThat(race.result(waiting)).isTrue();
        }
        assertThat(items(foreign)).isEqualTo("a");
    }

    @Test
    void deferred_transactions_begin_without_a_write_lock() throws SQLException {
        Engine engine = engine("?transaction_mode=DEFERRED", Duration.ofMillis(1));
        try (Connection first = engine.dataSource().getConnection();
                Connection second = engine.dataSource().getConnection()) {
            for (Connection connection : List.of(first, second)) {
                connection.setAutoCommit(false);
                assertThat(items(connection)).isNull();
            }
            Sql.execute(foreign, "INSERT INTO item VALUES ('a')");
            assertThatThrownBy(() -> Sql.execute(first, "INSERT INTO item VALUES ('b')"))
                    .as("its snapshot is outdated")
                    .hasMessageContaining("SQLITE_BUSY");
            first.rollback();
            Sql.execute(first, "INSERT INTO item VALUES ('c')");
            first.commit();
            second.rollback();
            assertThat(items(second)).isEqualTo("a c");
        }
    }

    @Test
    void exclusive_transactions_take_the_write_lock_at_the_beginning() throws SQLException {
        Engine engine = engine("?transaction_mode=EXCLUSIVE", Duration.ofMillis(1));
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(items(connection)).isNull();
            assertThatThrownBy(() -> Sql.execute(foreign, "PRAGMA busy_timeout = 1", "BEGIN IMMEDIATE"))
                    .hasMessageContaining("SQLITE_BUSY");
            connection.commit();
            Sql.execute(foreign, "BEGIN IMMEDIATE");
            connection.setReadOnly(true);
            assertThat(items(connection)).isNull();
        }
    }
}
