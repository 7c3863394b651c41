package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failed statement PostgreSQL answers COMMIT with a rollback, and its driver reports success. Tests run with the engine's own
 * pool, and with a pool that hides the driver's connection.
 */
@Timeout(60)
@ParameterizedClass(name = "hidden driver: {0}")
@ValueSource(booleans = {false, true})
class SwallowedFailureTest {
    private static final String DUPLICATE = "23505";
    private static final String CANCELED = "57014";
    private static final String CONFLICT = "DO $$ BEGIN RAISE SQLSTATE '%s' USING MESSAGE = 'a conflict'; END $$";

    @Parameter
    boolean hidden;

    @TempDir
    Path directory;

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> hooks = new ArrayList<>();
    private boolean savepointsFail;
    private boolean statementsFail;
    private EngineCache cache;
    private Engine engine;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        String url = Database.POSTGRESQL.url(directory);
        cache = EngineCache.create(hidden ? this::wrapping : EngineFactory.pooled(), EngineSettings.defaults());
        engine = cache.engine(url);
        Sql.execute(
                engine.dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)", "INSERT INTO item VALUES ('there')");
        work = UnitOfWork.on(engine);
        calls.clear();
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private EngineSource wrapping(DatabaseUrl url, EngineSettings settings) throws Exception {
        EngineSource source = EngineFactory.pooled().open(url, settings);
        return new TestSource(proxy(DataSource.class, source.dataSource()), source);
    }

    /** Wraps connections, and hides the driver's connection if the test requires that. */
    private <T> T proxy(Class<T> type, T target) {
        return Proxies.of(type, (self, method, args) -> {
            String name = method.getName();
            calls.add(name);
            if (hidden && name.equals("isWrapperFor")) {
                return false;
            }
            if (hidden && name.equals("unwrap")) {
                throw new SQLException("cannot unwrap");
            }
            if (statementsFail && name.equals("createStatement")) {
                throw new StackOverflowError(name);
            }
            if (savepointsFail && name.equals("setSavepoint")) {
                Sql.execute((Connection) target, "SAVEPOINT"); // the server rejects it
            }
            Object result = method.invoke(target, args);
            return result instanceof Connection connection && type == DataSource.class
                    ? proxy(Connection.class, connection)
                    : result;
        });
    }

    private interface Swallowing {
        void run(Transaction tx) throws Exception;
    }

    private static void swallow(String sqlState, Swallowing failing, Transaction tx) {
        assertThatThrownBy(() -> failing.run(tx))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState));
    }

    private static void insertTwice(Connection connection) {
        try {
            Items.insert(connection, "there");
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo(DUPLICATE);
        }
    }

    private void program(Transaction tx, Swallowing swallowing) throws Exception {
        tx.afterCommit(() -> hooks.add("committed"));
        tx.afterRollback(() -> hooks.add("rolled back"));
        Items.insert(tx, "lost");
        swallowing.run(tx);
    }

    private void assertRolledBack(String sqlState, Swallowing swallowing) throws SQLException {
        hooks.clear();
        assertThatThrownBy(() -> work.run(tx -> program(tx, swallowing)))
                .isInstanceOf(RollbackOnlyException.class)
                .hasMessageContaining("unit of work on " + engine.url())
                .hasMessageContaining("PostgreSQL aborts a transaction when a statement in it fails")
                .hasMessageContaining("nested()")
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState));
        assertNothingKept();
    }

    private void assertNothingKept() throws SQLException {
        assertThat(Items.in(engine.dataSource())).containsExactly("there");
        assertThat(hooks).containsExactly("rolled back");
        assertThat(OpenUnits.find(engine)).isNull();
        work.run(tx -> assertThat(Items.in(tx.connection())).containsExactly("there"));
    }

    @Test
    void a_unit_that_swallows_a_failed_statement_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            insertTwice(tx.connection());
            assertThat(tx.isRollbackOnly()).isTrue();
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_statement_of_a_joined_call_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> work.run(joined -> insertTwice(joined.connection())));
    }

    @Test
    void a_unit_that_swallows_a_failed_statement_on_its_data_source_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            try (Connection connection = tx.dataSource().getConnection()) {
                insertTwice(connection);
            }
        });
    }

    @Test
    void a_manual_commit_after_a_swallowed_failure_rolls_back() throws Exception {
        Transaction tx = work.begin();
        program(tx, same -> insertTwice(same.connection()));
        assertThatThrownBy(tx::commit).isInstanceOf(RollbackOnlyException.class);
        tx.close();
        assertNothingKept();
    }

    @Test
    void the_first_failure_is_the_cause_even_if_more_calls_fail() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            insertTwice(tx.connection());
            swallow("25P02", same -> Items.insert(same, "more"), tx);
            swallow("42601", same -> Sql.execute(same.connection(), "nonsense"), tx);
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_batch_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            try (PreparedStatement statement = tx.connection().prepareStatement("INSERT INTO item VALUES (?)")) {
                for (String name : List.of("first", "there", "last")) {
                    statement.setString(1, name);
                    statement.addBatch();
                }
                assertThatThrownBy(statement::executeBatch).isInstanceOf(SQLException.class);
            }
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_query_rolls_back() throws SQLException {
        assertRolledBack("22012", tx -> swallow("22012", same -> Sql.query(same.connection(), "SELECT 1 / 0"), tx));
    }

    @Test
    void a_unit_that_swallows_a_failed_fetch_rolls_back() throws SQLException {
        assertRolledBack("22012", tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                statement.setFetchSize(1);
                ResultSet rows = statement.executeQuery("SELECT 1 / (3 - i) FROM generate_series(1, 5) i");
                assertThat(rows.next()).isTrue();
                swallow(
                        "22012",
                        same -> {
                            while (rows.next()) {
                                assertThat(rows.getInt(1)).isPositive();
                            }
                        },
                        tx);
            }
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_update_of_a_result_set_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            try (Statement statement = tx.connection()
                            .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = statement.executeQuery("SELECT name FROM item")) {
                rows.moveToInsertRow();
                rows.updateString(1, "there");
                swallow(DUPLICATE, same -> rows.insertRow(), tx);
            }
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_procedure_call_rolls_back() throws SQLException {
        assertRolledBack("22012", tx -> {
            try (var call = tx.connection().prepareCall("{? = call div(1, 0)}")) {
                call.registerOutParameter(1, java.sql.Types.NUMERIC);
                swallow("22012", same -> call.execute(), tx);
            }
        });
    }

    @Test
    void a_unit_that_swallows_a_cancelled_statement_rolls_back() throws Exception {
        try (Race race = Race.withThreads(1)) {
            assertRolledBack(CANCELED, tx -> {
                try (Statement statement = tx.connection().createStatement()) {
                    var cancelling = race.start(() -> {
                        await().until(() -> Sql.query(
                                        engine.dataSource(),
                                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                                .equals("1"));
                        statement.cancel();
                        return true;
                    });
                    swallow(CANCELED, same -> statement.execute("SELECT pg_sleep(60)"), tx);
                    race.result(cancelling);
                }
            });
        }
    }

    @Test
    void a_unit_that_swallows_a_timeout_of_the_server_rolls_back() throws SQLException {
        assertRolledBack(CANCELED, tx -> {
            Sql.execute(tx.connection(), "SET LOCAL statement_timeout = 20");
            swallow(CANCELED, same -> Sql.execute(same.connection(), "SELECT pg_sleep(60)"), tx);
        });
    }

    @Test
    void a_unit_that_swallows_a_timeout_of_the_driver_rolls_back() throws SQLException {
        assertRolledBack(CANCELED, tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                statement.setQueryTimeout(1);
                swallow(CANCELED, same -> statement.execute("SELECT pg_sleep(60)"), tx);
            }
        });
    }

    @Test
    void a_unit_that_swallows_the_failed_begin_of_a_nested_transaction_rolls_back() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            insertTwice(tx.connection());
            assertThatThrownBy(() -> tx.nested(inner -> {})).hasMessageContaining("Cannot begin a nested transaction");
            assertThatThrownBy(() -> tx.connection().setSavepoint()).isInstanceOf(SQLException.class);
        });
    }

    @Test
    void a_unit_that_swallows_a_failed_savepoint_rolls_back() throws SQLException {
        try (EngineCache wrapped = EngineCache.create(this::wrapping, EngineSettings.defaults())) {
            work = UnitOfWork.on(wrapped.engine(engine.url()));
            assertRolledBack("42601", tx -> {
                savepointsFail = true;
                assertThatThrownBy(() -> tx.nested(inner -> {}))
                        .hasMessageContaining("Cannot begin a nested transaction");
                savepointsFail = false;
            });
        }
    }

    /** After an Error in the query, the unit must not stay in the nested transaction, where its own failures would not count. */
    @Test
    void a_nested_transaction_ends_even_if_the_query_for_its_state_fails() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "lost");
                    assertThatThrownBy(() -> work.run(joined -> {
                                throw new IllegalStateException("joined");
                            }))
                            .hasMessage("joined");
                    try {
                        tx.nested(inner -> {
                            try (Statement statement = inner.connection().createStatement();
                                    ResultSet rows = statement.executeQuery("SELECT name FROM item")) {
                                assertThatThrownBy(() -> rows.getString("no column"))
                                        .isInstanceOf(SQLException.class);
                            }
                            statementsFail = true;
                        });
                    } catch (StackOverflowError e) {
                        assertThat(hidden).isTrue();
                    } finally {
                        statementsFail = false;
                    }
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasRootCauseMessage("joined");
        assertThat(Items.in(engine.dataSource())).containsExactly("there");
    }

    /** The guard does not see the calls of a large object, but the connection knows the state of the transaction. */
    @Test
    void a_unit_rolls_back_after_a_failure_that_the_guard_cannot_see() throws SQLException {
        hooks.clear();
        assertThatThrownBy(() -> work.run(tx -> program(tx, same -> {
                    try (Statement statement = same.connection().createStatement();
                            ResultSet rows = statement.executeQuery("SELECT 4294967294::oid")) {
                        assertThat(rows.next()).isTrue();
                        swallow("42704", any -> Kill.target(rows).getBlob(1).length(), same);
                    }
                    swallow("25P02", any -> Sql.query(any.connection(), "SELECT 1"), same);
                })))
                .isInstanceOf(RollbackOnlyException.class)
                .hasCauseInstanceOf(SQLException.class);
        assertNothingKept();
    }

    @Test
    void a_unit_rolls_back_after_a_failure_that_bypasses_the_guard() throws SQLException {
        if (hidden) {
            return; // with a hidden driver, the library cannot detect the failure
        }
        assertRolledBack(
                "25P02",
                tx -> assertThatThrownBy(() -> Sql.execute(Kill.real(tx.connection()), "nonsense"))
                        .isInstanceOf(SQLException.class));
    }

    @Test
    void a_failure_in_a_rolled_back_nested_transaction_does_not_affect_the_unit() throws SQLException {
        work.run(tx -> {
            Items.insert(tx, "before");
            swallow(DUPLICATE, same -> same.nested(inner -> Items.insert(inner, "there")), tx);
            assertThat(tx.isRollbackOnly()).isFalse();
            Items.insert(tx, "between");
            assertThatThrownBy(() -> tx.nested(inner -> {
                        Items.insert(inner, "inner");
                        insertTwice(inner.connection());
                        assertThat(inner.isRollbackOnly()).isTrue();
                        assertThat(tx.isRollbackOnly()).isFalse();
                    }))
                    .isInstanceOf(RollbackOnlyException.class)
                    .hasMessageContaining("nested transaction")
                    .cause()
                    .hasMessageContaining("duplicate");
            tx.nested(inner -> {
                insertTwice(inner.connection());
                inner.setRollbackOnly();
            });
            Items.insert(tx, "after");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("after", "before", "between", "there");
    }

    @Test
    void a_failure_rolled_back_to_a_savepoint_does_not_affect_the_unit() throws SQLException {
        work.run(tx -> {
            Savepoint savepoint = tx.connection().setSavepoint();
            insertTwice(tx.connection());
            tx.connection().rollback(savepoint);
            Items.insert(tx, "after");
            Sql.execute(tx.connection(), "SAVEPOINT mine");
            insertTwice(tx.connection());
            Sql.execute(tx.connection(), "ROLLBACK TO SAVEPOINT mine");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("after", "there");
    }

    @Test
    void the_cause_of_the_rollback_is_not_a_failure_rolled_back_earlier() throws SQLException {
        assertRolledBack(DUPLICATE, tx -> {
            swallow("22012", same -> same.nested(inner -> Sql.query(inner.connection(), "SELECT 1 / 0")), tx);
            work.read(reader -> {
                swallow("22012", same -> Sql.query(same.connection(), "SELECT 1 / 0"), reader);
                return true;
            });
            insertTwice(tx.connection());
        });
        if (!hidden) {
            assertRolledBack(DUPLICATE, tx -> {
                Savepoint savepoint = tx.connection().setSavepoint();
                swallow("22012", same -> Sql.query(same.connection(), "SELECT 1 / 0"), tx);
                tx.connection().rollback(savepoint);
                insertTwice(tx.connection());
            });
        }
    }

    @Test
    void a_failure_that_does_not_reach_the_server_does_not_affect_the_unit() throws SQLException {
        work.run(tx -> {
            try (Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT name FROM item")) {
                assertThatThrownBy(() -> rows.getString("no column")).isInstanceOf(SQLException.class);
            }
            assertThat(tx.isRollbackOnly()).isFalse();
            Items.insert(tx, "after");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("after", "there");
    }

    @Test
    void a_swallowed_conflict_is_retried() throws Exception {
        for (String state : List.of("40001", "40P01")) {
            List<Swallowing> ways = List.of(
                    tx -> swallow(state, same -> Sql.execute(same.connection(), CONFLICT.formatted(state)), tx),
                    tx -> work.run(joined ->
                            swallow(state, same -> Sql.execute(same.connection(), CONFLICT.formatted(state)), joined)),
                    tx -> tx.nested(inner ->
                            swallow(state, same -> Sql.execute(same.connection(), CONFLICT.formatted(state)), inner)),
                    tx -> {
                        swallow(state, same -> Sql.execute(same.connection(), CONFLICT.formatted(state)), tx);
                        Items.insert(tx, "more");
                    });
            for (Swallowing way : ways) {
                AtomicInteger runs = new AtomicInteger();
                work.run(tx -> {
                    Items.insert(tx, "kept");
                    if (runs.incrementAndGet() == 1) {
                        way.run(tx);
                    }
                });
                assertThat(runs).hasValue(2);
                assertThat(Items.in(engine.dataSource())).containsExactly("kept", "there");
                Sql.execute(engine.dataSource(), "DELETE FROM item WHERE name = 'kept'");
            }
        }
    }

    @Test
    void a_read_only_unit_that_swallows_a_failure_fails() {
        assertThatThrownBy(() -> work.<Boolean, SQLException>read(tx -> {
                    swallow("22012", same -> Sql.query(same.connection(), "SELECT 1 / 0"), tx);
                    return true;
                }))
                .isInstanceOf(RollbackOnlyException.class);
    }

    @Test
    void an_independent_unit_succeeds_or_fails_independently_of_the_outer_unit() throws SQLException {
        work.run(tx -> {
            assertThatThrownBy(() -> tx.independent(log -> insertTwice(log.connection())))
                    .isInstanceOf(RollbackOnlyException.class);
            Items.insert(tx, "outer");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("outer", "there");
    }

    @Test
    void a_unit_without_a_failure_does_not_query_the_transaction_state() throws SQLException {
        work.run(tx -> {});
        calls.clear();
        work.run(tx -> {
            Items.insert(tx, "a");
            tx.nested(inner -> Items.insert(inner, "b"));
        });
        assertThat(calls.stream().filter("createStatement"::equals))
                .hasSizeLessThanOrEqualTo(1); // only the statement that sets the isolation
        assertThat(Items.in(engine.dataSource())).containsExactly("a", "b", "there");
    }
}
