package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** Units of work on a real PostgreSQL, behind connections with injected faults. */
@Timeout(60)
class FaultsTest {
    @TempDir
    Path directory;

    private final Map<String, Throwable> faults = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private EngineCache cache;
    private Engine engine;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        String url = Database.POSTGRESQL.url(directory);
        cache = EngineCache.create(
                this::faulty, EngineSettings.builder().poolSize(2).build());
        engine = cache.engine(url);
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
        calls.clear();
        work = UnitOfWork.on(engine);
    }

    @AfterEach
    void close() {
        faults.clear();
        cache.close();
    }

    private EngineSource faulty(DatabaseUrl url, EngineSettings settings) throws Exception {
        EngineSource source = EngineFactory.pooled().open(url, settings);
        return new TestSource(proxy(DataSource.class, source.dataSource()), source);
    }

    private <T> T proxy(Class<T> type, Object target) {
        return Proxies.of(type, (self, method, args) -> {
            calls.add(method.getName());
            Throwable fault = faults.get(method.getName());
            if (fault != null) {
                throw fault;
            }
            Object result = method.invoke(target, args);
            return result instanceof Connection && type == DataSource.class ? proxy(Connection.class, result) : result;
        });
    }

    private void assertNothingIsLeft() throws SQLException {
        faults.clear();
        for (int i = 0; i < 3; i++) { // one more than the pool has connections
            work.run(tx -> assertThat(Items.in(tx.connection())).isEmpty());
        }
        assertThat(OpenUnits.find(engine)).isNull();
        assertThat(LeakWatch.watched()).isZero();
        assertThat(engine.dataSource()
                        .unwrap(HikariDataSource.class)
                        .getHikariPoolMXBean()
                        .getActiveConnections())
                .isZero();
    }

    @Test
    void a_failed_rollback_is_suppressed_and_the_connection_discarded() throws SQLException {
        SQLException fault = new SQLException("no rollback");
        faults.put("rollback", fault);
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "a");
                    throw new IllegalStateException("work");
                }))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(suppressed -> assertThat(suppressed)
                                .isInstanceOf(TransactionException.class)
                                .hasMessageContaining("discarded: no rollback")
                                .hasCause(fault)));
        assertThat(calls).contains("abort", "close");
        assertNothingIsLeft();
    }

    /** On SQLite, the next unit needs the turn as well as the connection. */
    @Test
    void a_unit_that_fails_to_end_returns_its_turn_and_its_connection() throws SQLException {
        for (String url : List.of("sqlite:///:memory:", "jdbc:sqlite:" + directory.resolve("faults.db"))) {
            Engine sqlite = cache.engine(url);
            Sql.execute(sqlite.dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
            UnitOfWork onIt = UnitOfWork.builder(sqlite)
                    .queueTimeout(Duration.ZERO)
                    .retry(RetryPolicy.never())
                    .build();
            for (String place : List.of("setAutoCommit", "rollback", "commit", "setSavepoint", "releaseSavepoint")) {
                for (Throwable fault : List.of(
                        new SQLException(place), new IllegalStateException(place), new OutOfMemoryError(place))) {
                    faults.put(place, fault);
                    assertThatThrownBy(() -> onIt.run(tx -> {
                                Items.insert(tx, "lost");
                                tx.nested(inner -> {});
                                if (place.equals("rollback")) {
                                    throw new IllegalStateException("work");
                                }
                            }))
                            .isNotNull();
                    faults.clear();
                    onIt.run(tx -> assertThat(Items.in(tx.connection())).isEmpty());
                    assertThat(OpenUnits.find(sqlite)).isNull();
                    assertThat(sqlite.dataSource()
                                    .unwrap(HikariDataSource.class)
                                    .getHikariPoolMXBean()
                                    .getActiveConnections())
                            .as("%s %s", place, fault)
                            .isZero();
                }
            }
        }
    }

    @Test
    void a_conflict_at_the_beginning_of_a_unit_returns_its_connection() throws SQLException {
        faults.put("setAutoCommit", new SQLException("conflict", "40001"));
        UnitOfWork thrice = UnitOfWork.builder(engine)
                .retry(new RetryPolicy(3, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)))
                .build();
        assertThatThrownBy(() -> thrice.run(tx -> {}))
                .isInstanceOf(TransactionException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(3));
        assertThat(calls).doesNotContain("abort");
        assertThat(calls.stream().filter("close"::equals)).hasSize(3);
        assertNothingIsLeft();
    }

    @Test
    void a_failed_rollback_is_thrown_if_nothing_else_failed() throws SQLException {
        faults.put("rollback", new SQLException("no rollback"));
        Transaction tx = work.begin();
        Items.insert(tx, "a");
        assertThatThrownBy(tx::close).isInstanceOf(TransactionException.class).hasMessageContaining("Cannot roll back");
        assertNothingIsLeft();
    }

    @Test
    void a_requested_rollback_that_fails_is_thrown() throws SQLException {
        faults.put("rollback", new SQLException("no rollback"));
        assertThatThrownBy(() -> work.run(Transaction::setRollbackOnly))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("Cannot roll back")
                .hasNoSuppressedExceptions();
        assertNothingIsLeft();
    }

    @Test
    void the_transaction_is_rolled_back_before_the_connection_is_restored() {
        assertThatThrownBy(() -> work.read(tx -> {
                    throw new IllegalStateException();
                }))
                .hasNoSuppressedExceptions();
        assertThat(calls).containsSubsequence("setAutoCommit", "rollback", "setAutoCommit", "close");
    }

    @Test
    void a_failed_rollback_after_a_failed_commit_is_suppressed() throws SQLException {
        faults.put("commit", new SQLException("no commit"));
        faults.put("rollback", new SQLException("no rollback"));
        assertThatThrownBy(() -> work.run(tx -> Items.insert(tx, "a")))
                .hasMessageContaining("no commit")
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(TransactionException.class));
        assertNothingIsLeft();
    }

    @Test
    void a_connection_lost_during_the_commit_is_reported_as_an_unknown_outcome() throws SQLException {
        faults.put("commit", new SQLException("I/O error", "08006"));
        assertThatThrownBy(() -> work.run(tx -> Items.insert(tx, "a")))
                .hasMessageContaining("Check in the database whether it was committed");
        assertNothingIsLeft();
    }

    @Test
    void a_connection_that_cannot_be_restored_is_discarded_and_the_commit_stands() throws SQLException {
        faults.put("setAutoCommit", new SQLException("not now"));
        assertThatThrownBy(() -> work.read(tx -> 1)).hasMessageContaining("Cannot begin");
        assertThat(calls).contains("abort");
        faults.clear();
        faults.put("clearWarnings", new SQLException("not now"));
        Transaction tx = work.begin();
        Items.insert(tx, "a");
        faults.put("close", new SQLException("cannot roll back either"));
        faults.put("abort", new IllegalStateException("nor that"));
        tx.commit();
        assertThat(calls).contains("abort");
        faults.clear();
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
    }

    @Test
    void a_connection_that_cannot_be_discarded_is_reported_with_the_failure() throws SQLException {
        SQLException fault = new SQLException("cannot roll back either");
        faults.put("setAutoCommit", new SQLException("not now"));
        faults.put("close", fault);
        assertThatThrownBy(() -> work.run(tx -> {}))
                .hasMessageContaining("Cannot begin")
                .cause()
                .hasSuppressedException(fault);
    }

    @Test
    void an_unavailable_connection_fails_the_unit_with_the_cause() throws SQLException {
        faults.put("getConnection", new SQLException("none left"));
        assertThatThrownBy(() -> work.run(tx -> {}))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("Cannot begin a unit of work on " + engine.url() + ": none left");
        assertNothingIsLeft();
    }

    @Test
    void a_connection_that_cannot_be_unwrapped_fails_the_unit_and_leaks_nothing() throws SQLException {
        Engine hiding = cache.engine("sqlite:///:memory:");
        UnitOfWork onIt = UnitOfWork.on(hiding);
        onIt.run(tx -> {});
        faults.put("unwrap", new SQLException("no wrapper"));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> onIt.run(tx -> {}))
                    .hasMessageContaining("Cannot begin")
                    .hasMessageContaining("no wrapper");
        }
        faults.clear();
        onIt.run(tx -> {});
    }

    /** Throws an {@code Error}, such as a {@code StackOverflowError}, in each call of the driver. */
    @Test
    void an_error_in_any_driver_call_leaks_nothing() throws SQLException {
        for (String place : List.of(
                "getConnection",
                "setAutoCommit",
                "setReadOnly",
                "commit",
                "rollback",
                "close",
                "setSavepoint",
                "releaseSavepoint",
                "createStatement",
                "abort")) {
            for (boolean failing : List.of(true, false)) {
                faults.put(place, new StackOverflowError(place));
                try {
                    work.read(tx -> {
                        tx.nested(inner -> {});
                        if (failing) {
                            throw new IllegalStateException("work");
                        }
                        return tx.connection().createStatement();
                    });
                } catch (Throwable t) {
                    assertThat(t).isNotInstanceOf(NullPointerException.class);
                }
                assertNothingIsLeft();
            }
        }
    }

    @Test
    void a_nested_transaction_that_cannot_be_rolled_back_dooms_the_unit() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "outer");
                    faults.put("rollback", new StackOverflowError("cannot roll back"));
                    assertThatThrownBy(() -> tx.nested(inner -> {
                                Items.insert(inner, "inner");
                                throw new IllegalStateException("work");
                            }))
                            .hasMessage("work");
                    faults.clear();
                }))
                .isInstanceOf(RollbackOnlyException.class);
        assertNothingIsLeft();
    }

    @Test
    void a_failed_rollback_requested_in_a_nested_transaction_dooms_the_unit() throws SQLException {
        SQLException fault = new SQLException("cannot roll back");
        assertThatThrownBy(() -> work.run(tx -> {
                    faults.put("rollback", fault);
                    assertThatThrownBy(() -> tx.nested(inner -> {
                                Items.insert(inner, "inner");
                                inner.setRollbackOnly();
                            }))
                            .hasMessageContaining("Cannot roll back a nested transaction");
                    faults.clear();
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasCause(fault);
        assertNothingIsLeft();
    }

    @Test
    void an_unchecked_exception_from_a_savepoint_dooms_the_unit() throws SQLException {
        RuntimeException fault = new IllegalStateException("no savepoint");
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "lost");
                    faults.put("setSavepoint", fault);
                    assertThatThrownBy(() -> tx.nested(inner -> {})).isSameAs(fault);
                    faults.clear();
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasCause(fault);
        assertThat(calls).contains("abort");
        assertNothingIsLeft();
    }

    @Test
    void a_driver_whose_call_fails_halfway_is_not_called_again() throws SQLException {
        for (int before = 0; before < 2; before++) {
            int inserts = before;
            assertThatThrownBy(() -> work.run(tx -> {
                        for (int i = 0; i < inserts; i++) {
                            Items.insert(tx, "a" + i);
                        }
                        try (PreparedStatement statement =
                                tx.connection().prepareStatement("INSERT INTO item VALUES (convert_from(?, 'UTF8'))")) {
                            statement.setBinaryStream(
                                    1,
                                    new InputStream() {
                                        @Override
                                        public int read() {
                                            throw new IllegalStateException("no more");
                                        }

                                        @Override
                                        public int read(byte[] bytes, int from, int length) {
                                            return read();
                                        }
                                    },
                                    100_000);
                            assertThatThrownBy(statement::executeUpdate).isInstanceOf(IllegalStateException.class);
                        }
                    }))
                    .isInstanceOf(RollbackOnlyException.class)
                    .hasNoSuppressedExceptions();
            assertNothingIsLeft();
        }
    }

    @Test
    void after_an_error_at_the_end_of_a_nested_transaction_the_driver_is_not_called_again() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "a");
                    assertThatThrownBy(() -> tx.nested(inner -> {
                                faults.put("releaseSavepoint", new IllegalStateException("for the test"));
                                throw new IOException("nested");
                            }))
                            .isInstanceOf(IOException.class);
                    faults.clear();
                    calls.clear();
                }))
                .isInstanceOf(RollbackOnlyException.class);
        assertThat(calls).contains("abort").doesNotContain("rollback");
        assertNothingIsLeft();
    }

    @Test
    void after_an_error_in_the_commit_the_driver_is_not_called_again() throws SQLException {
        Error fault = new LinkageError("for the test");
        faults.put("commit", fault);
        assertThatThrownBy(() -> work.run(tx -> Items.insert(tx, "a")))
                .isSameAs(fault)
                .hasNoSuppressedExceptions();
        assertThat(calls).contains("abort").doesNotContain("rollback");
        assertNothingIsLeft();
    }

    @Test
    void an_error_in_the_driver_breaks_the_connection_but_an_invalid_argument_does_not() throws SQLException {
        work.run(tx -> {
            assertThatThrownBy(() -> tx.connection().prepareStatement(null)).isInstanceOf(RuntimeException.class);
            assertThat(tx.isRollbackOnly()).isFalse();
        });
        faults.put("getSchema", new StackOverflowError());
        assertThatThrownBy(() -> work.run(tx ->
                        assertThatThrownBy(() -> tx.connection().getSchema()).isInstanceOf(StackOverflowError.class)))
                .isInstanceOf(RollbackOnlyException.class);
        assertThat(calls).contains("abort");
        assertNothingIsLeft();
    }

    @Test
    void hooks_run_even_if_closing_fails() {
        List<String> events = new ArrayList<>();
        Transaction tx = work.begin();
        tx.afterRollback(() -> events.add("rolled back"));
        faults.put("rollback", new SQLException("no rollback"));
        assertThatThrownBy(tx::close).isInstanceOf(TransactionException.class);
        assertThat(events).containsExactly("rolled back");
    }

    @Test
    void a_connection_that_cannot_be_closed_after_a_conflict_at_the_beginning_is_aborted() throws SQLException {
        faults.put("setAutoCommit", new SQLException("conflict", "40001"));
        faults.put("close", new SQLException("cannot be closed"));
        assertThatThrownBy(() -> UnitOfWork.builder(engine)
                        .retry(RetryPolicy.never())
                        .build()
                        .run(tx -> {}))
                .isInstanceOf(TransactionException.class)
                .cause()
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
        assertThat(calls).contains("abort");
    }

    /** An exception whose methods throw. It overrides the methods that libraries usually override. */
    private static final class Hostile extends SQLException {
        private static final long serialVersionUID = 1L;
        private final Error answer = new StackOverflowError("called a method of a hostile exception");

        Hostile(String sqlState) {
            super("hostile", sqlState);
        }

        @Override
        public String getMessage() {
            throw answer;
        }

        @Override
        public String toString() {
            throw answer;
        }

        @Override
        public String getSQLState() {
            if (super.getSQLState().isEmpty()) {
                throw answer;
            }
            return super.getSQLState();
        }

        @Override
        public SQLException getNextException() {
            throw answer;
        }

        @Override
        public synchronized Throwable getCause() {
            throw answer;
        }
    }

    @Test
    void exceptions_whose_methods_throw_change_no_outcome_and_no_hook() throws SQLException {
        List<String> places = List.of(
                "getConnection",
                "setAutoCommit",
                "setSavepoint",
                "releaseSavepoint",
                "rollback",
                "commit",
                "getSchema");
        for (String place : places) {
            for (boolean byHand : List.of(false, true)) {
                List<String> hooks = new ArrayList<>();
                Hostile fault = new Hostile("");
                TransactionAction<SQLException> body = tx -> {
                    tx.afterCommit(() -> hooks.add("committed"));
                    tx.afterRollback(() -> hooks.add("rolled back"));
                    Items.insert(tx, "a");
                    tx.nested(inner -> {});
                    if (place.equals("rollback")) {
                        throw fault;
                    }
                    tx.connection().getSchema();
                };
                faults.put(place, fault);
                Throwable thrown = catchThrowable(() -> {
                    if (byHand) {
                        try (Transaction tx = work.begin()) {
                            body.run(tx);
                            tx.commit();
                        }
                    } else {
                        work.run(body);
                    }
                });
                if (thrown instanceof TransactionException) {
                    assertThat(rootOf(thrown)).as(place).isSameAs(fault);
                } else {
                    assertThat(thrown).as(place).isSameAs(fault);
                }
                boolean begun = !List.of("getConnection", "setAutoCommit").contains(place);
                assertThat(hooks).as(place).isEqualTo(begun ? List.of("rolled back") : List.of());
                assertNothingIsLeft();
            }
        }
    }

    /** Compares by reference, because every method of the failure throws. */
    private static Throwable rootOf(Throwable wrapper) {
        Throwable root = wrapper;
        while (!(root instanceof Hostile) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Test
    void an_exception_whose_methods_throw_is_an_ordinary_failure() throws SQLException {
        faults.put("commit", new Hostile(""));
        assertThatThrownBy(() -> work.run(tx -> {}))
                .hasMessageStartingWith("Cannot commit")
                .hasMessageEndingWith(Hostile.class.getName());
        faults.clear();
        work.run(tx -> {
            faults.put("getSchema", new Hostile(""));
            assertThat(catchThrowable(() -> tx.connection().getSchema())).isInstanceOf(Hostile.class);
            assertThat(tx.isRollbackOnly()).isFalse();
        });
        assertNothingIsLeft();
    }

    @Test
    void a_conflict_whose_methods_throw_is_retried() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        work.run(tx -> {
            if (runs.incrementAndGet() == 1) {
                throw new Hostile("40001");
            }
        });
        assertThat(runs).hasValue(2);
        faults.put("setAutoCommit", new Hostile("40001"));
        UnitOfWork twice = UnitOfWork.builder(engine)
                .retry(new RetryPolicy(2, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)))
                .build();
        calls.clear();
        assertThatThrownBy(() -> twice.run(tx -> {})).isInstanceOf(TransactionException.class);
        assertThat(calls.stream().filter("getConnection"::equals)).hasSize(2);
        assertNothingIsLeft();
    }

    @Test
    void a_hook_exception_whose_methods_throw_does_not_stop_later_hooks() throws SQLException {
        List<String> hooks = new ArrayList<>();
        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterCommit(() -> sneak(new Hostile("")));
                    tx.afterCommit(() -> hooks.add("committed"));
                }))
                .isInstanceOf(AfterCommitException.class);
        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterRollback(() -> sneak(new Hostile("")));
                    tx.afterRollback(() -> hooks.add("rolled back"));
                    tx.setRollbackOnly();
                }))
                .isInstanceOf(TransactionException.class);
        assertThat(hooks).containsExactly("committed", "rolled back");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void a_logger_that_throws_changes_no_outcome_and_no_retry() throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        AtomicInteger reports = new AtomicInteger();
        TurboFilter hostile = new TurboFilter() {
            @Override
            public FilterReply decide(
                    Marker marker, Logger logger, Level level, String format, Object[] params, Throwable t) {
                if (logger.getName().startsWith("dev.oneengine.work")) {
                    if (logger.getName().equals(LeakWatch.class.getName())) {
                        reports.incrementAndGet();
                    }
                    throw new IllegalStateException("a logger");
                }
                return FilterReply.NEUTRAL;
            }
        };
        context.addTurboFilter(hostile);
        try {
            List<String> hooks = new ArrayList<>();
            work.run(tx -> {
                tx.afterCommit(() -> hooks.add("committed"));
                Items.insert(tx, "a");
                faults.put("close", new SQLException("cannot be closed"));
            });
            faults.clear();
            assertThat(hooks).containsExactly("committed");
            assertThat(calls).contains("abort");
            assertThat(Items.in(engine.dataSource())).containsExactly("a");
            Sql.execute(engine.dataSource(), "DELETE FROM item");

            AtomicInteger runs = new AtomicInteger();
            work.run(tx -> {
                if (runs.incrementAndGet() == 1) {
                    throw new SQLException("conflict", "40001");
                }
            });
            assertThat(runs).hasValue(2);

            // The thread that left the unit open is alive during the first report and dead during the second.
            UnitOfWork watched =
                    UnitOfWork.builder(engine).leakAfter(Duration.ofMillis(1)).build();
            AtomicReference<Transaction> left = new AtomicReference<>();
            AtomicReference<UnitState> unit = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                left.set(watched.begin());
                unit.set(OpenUnits.find(engine));
                await().until(() -> reports.get() > 0);
            });
            thread.start();
            thread.join(30_000);
            await().until(() -> unit.get().hasEnded() && LeakWatch.watched() == 0);
            assertThat(reports).hasValue(2);
        } finally {
            context.getTurboFilterList().remove(hostile);
        }
        assertNothingIsLeft();
    }

    @Test
    void a_failed_savepoint_fails_the_nested_call_and_a_failed_release_dooms_the_unit() throws SQLException {
        faults.put("setSavepoint", new SQLException("no savepoint"));
        work.run(tx -> {
            assertThatThrownBy(() -> tx.nested(inner -> {})).hasMessageContaining("Cannot begin a nested transaction");
            assertThat(tx.isRollbackOnly()).isFalse();
        });
        assertThatThrownBy(() -> work.run(tx -> work.read(inner -> 1))).hasMessageContaining("read-only: no savepoint");
        faults.clear();

        faults.put("releaseSavepoint", new SQLException("no release"));
        assertThatThrownBy(() -> work.run(tx -> assertThatThrownBy(() -> tx.nested(inner -> {}))
                        .hasMessageContaining("Cannot complete a nested transaction")))
                .isInstanceOf(RollbackOnlyException.class);
        faults.put("releaseSavepoint", new IllegalStateException("no release"));
        assertThatThrownBy(() -> work.run(
                        tx -> assertThatThrownBy(() -> tx.nested(inner -> {})).hasMessage("no release")))
                .isInstanceOf(RollbackOnlyException.class);
        faults.clear();

        faults.put("rollback", new SQLException("cannot roll back"));
        assertThatThrownBy(() -> work.run(tx -> {
                    assertThatThrownBy(() -> tx.nested(inner -> {
                                throw new IllegalStateException("work");
                            }))
                            .hasMessage("work")
                            .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
                    assertThatThrownBy(() -> tx.nested(Transaction::setRollbackOnly))
                            .hasMessageContaining("Cannot roll back a nested transaction");
                }))
                .isInstanceOf(RollbackOnlyException.class);
        assertThatThrownBy(() -> work.run(tx -> work.read(inner -> 1)))
                .hasMessageContaining("writable again: cannot roll back");
        assertThatThrownBy(() -> work.run(tx -> work.read(inner -> {
                    throw new IllegalStateException("work");
                })))
                .hasMessage("work")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
        assertNothingIsLeft();
    }
}
