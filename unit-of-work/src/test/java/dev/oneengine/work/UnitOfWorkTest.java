package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineClosedException;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.InvalidDatabaseUrlException;
import dev.oneengine.cache.Preparation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
@ParameterizedClass
@EnumSource(Database.class)
class UnitOfWorkTest {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    private EngineCache cache;
    private Engine engine;
    private DataSource dataSource;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        String url = database.url(directory);
        cache = Items.cacheWithTable(url);
        engine = cache.engine(url);
        dataSource = engine.dataSource();
        work = UnitOfWork.builder(url).cache(cache).build();
    }

    @AfterEach
    void close() {
        assertThat(dataSourceIsIdle()).isTrue();
        cache.close();
    }

    private boolean dataSourceIsIdle() {
        if (engine.isClosed()) {
            return true;
        }
        try {
            return dataSource
                            .unwrap(HikariDataSource.class)
                            .getHikariPoolMXBean()
                            .getActiveConnections()
                    == 0;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_unit_that_returns_is_committed() throws SQLException {
        String result = work.call(tx -> {
            Items.insert(tx, "a");
            assertThat(Items.in(tx.connection())).containsExactly("a");
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    @Test
    void any_exception_rolls_back_and_reaches_the_caller_unchanged() throws SQLException {
        for (Throwable thrown : List.of(
                new IllegalStateException("a"), new IOException("b"), new SQLException("c"), new AssertionError("d"))) {
            assertThatThrownBy(() -> work.run(tx -> {
                        Items.insert(tx, "a");
                        throw sneaky(thrown);
                    }))
                    .isSameAs(thrown)
                    .hasNoSuppressedExceptions();
            assertThat(Items.in(dataSource)).isEmpty();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X sneaky(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void a_checked_exception_keeps_its_type() {
        try {
            work.run(tx -> {
                if (!tx.isReadOnly()) {
                    throw new IOException("mine");
                }
            });
        } catch (IOException e) { // compiles, because the function throws IOException
            assertThat(e).hasMessage("mine");
        }
        work.run(tx -> {}); // compiles without a catch, because the function throws no checked exception
    }

    @Test
    void a_read_only_call_inside_a_writing_unit_cannot_write() throws SQLException {
        work.run(tx -> {
            Items.insert(tx, "a");
            work.read(reader -> {
                assertThat(reader.isReadOnly()).isTrue();
                assertThat(Items.in(reader.connection())).containsExactly("a");
                assertThatThrownBy(() -> Items.insert(reader, "lost"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("read");
                return true;
            });
            assertThat(tx.isReadOnly()).isFalse();
            Items.insert(tx, "b");
        });
        assertThat(Items.in(dataSource)).containsExactly("a", "b");
    }

    @Test
    void a_read_only_unit_cannot_write() throws SQLException {
        Sql.execute(dataSource, "INSERT INTO item VALUES ('a')");

        assertThat(work.<List<String>, SQLException>read(tx -> {
                    assertThat(tx.isReadOnly()).isTrue();
                    assertThat(tx.connection().isReadOnly()).isTrue();
                    return Items.in(tx.connection());
                }))
                .containsExactly("a");
        for (String change :
                List.of("INSERT INTO item VALUES ('b')", "DELETE FROM item", "CREATE TABLE other(x INTEGER)")) {
            assertThatThrownBy(() -> work.read(tx -> {
                        Sql.execute(tx.connection(), change);
                        return "changed";
                    }))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(Items.in(dataSource)).containsExactly("a");
        work.run(tx -> Items.insert(tx, "b")); // the same connection, because the pool has opened only one
        assertThat(Items.in(dataSource)).containsExactly("a", "b");
    }

    @Test
    void a_read_only_unit_cannot_switch_to_writing() {
        List<String> ways = database == Database.POSTGRESQL
                ? List.of("SET TRANSACTION READ WRITE", "SET transaction_read_only = off", "COMMIT; DELETE FROM item")
                : List.of("PRAGMA query_only = 0", "COMMIT; PRAGMA query_only = 0");
        for (String way : ways) {
            assertThatThrownBy(() -> work.read(tx -> {
                        Sql.execute(tx.connection(), way);
                        return "changed";
                    }))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("rejected");
        }
    }

    @Test
    void a_transaction_from_begin_is_committed_by_its_caller() throws SQLException {
        try (Transaction tx = work.begin()) {
            Items.insert(tx, "a");
            tx.commit();
            assertThat(tx)
                    .hasToString("Transaction[" + engine.url() + ", thread "
                            + Thread.currentThread().getName() + ", ended]");
        }
        try (Transaction tx = work.begin()) {
            Items.insert(tx, "b");
        }
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    @Test
    void an_ended_transaction_rejects_calls() throws SQLException {
        Transaction tx = work.begin();
        Connection connection = tx.connection();
        Statement statement = connection.createStatement();
        tx.close();
        tx.close();

        assertThatThrownBy(tx::commit).isInstanceOf(TransactionException.class).hasMessageContaining("has ended");
        assertThatThrownBy(tx::connection)
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("has ended");
        assertThatThrownBy(connection::createStatement)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("has ended");
        assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
        assertThat(connection.isClosed()).isTrue();
        connection.close();
        statement.close();

        AtomicReference<Transaction> kept = new AtomicReference<>();
        work.run(kept::set);
        assertThatThrownBy(() -> kept.get().setRollbackOnly()).isInstanceOf(TransactionException.class);
        assertThatThrownBy(() -> kept.get().close()).isInstanceOf(TransactionException.class);
        work.run(outer -> {
            work.run(kept::set);
            assertThatThrownBy(() -> kept.get().connection())
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("This transaction");
            outer.nested(kept::set);
            assertThatThrownBy(() -> kept.get().connection())
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("This transaction");
        });
    }

    @Test
    void only_the_owner_can_end_a_unit() {
        work.run(tx -> {
            assertThatThrownBy(tx::commit)
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("returns");
            assertThatThrownBy(tx::close)
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("setRollbackOnly");
            tx.nested(inner -> assertThatThrownBy(inner::commit).isInstanceOf(TransactionException.class));
        });
        try (Transaction tx = work.begin()) {
            tx.nested(inner -> assertThatThrownBy(tx::commit)
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("nested transaction"));
            tx.commit();
        }
    }

    @Test
    void a_unit_rejects_calls_from_another_thread() throws SQLException {
        try (Race race = Race.withThreads(1)) {
            work.run(tx -> {
                Connection connection = tx.connection();
                Statement statement = connection.createStatement();
                for (Future<?> attempt : List.of(
                        race.start(tx::connection),
                        race.start(connection::createStatement),
                        race.start(() -> statement.execute("SELECT 1")),
                        race.start(() -> tx.nestedCall(inner -> "x")),
                        race.start(() -> {
                            tx.afterCommit(() -> {});
                            return true;
                        }))) {
                    assertThat(race.outcome(attempt).failure())
                            .hasMessageContaining("belongs to thread "
                                    + Thread.currentThread().getName())
                            .hasMessageContaining("racer-0");
                }
                // Any thread may cancel a statement.
                race.result(race.start(() -> {
                    statement.cancel();
                    return true;
                }));
            });
        }
    }

    @Test
    void another_thread_can_neither_end_a_unit_nor_close_its_objects() throws SQLException {
        try (Race race = Race.withThreads(1);
                Transaction tx = work.begin()) {
            Statement statement = tx.connection().createStatement();
            ResultSet rows = statement.executeQuery("SELECT 1");
            for (Future<?> attempt : List.of(
                    race.start(() -> done(tx::close)),
                    race.start(() -> done(tx::commit)),
                    race.start(() -> done(rows::close)),
                    race.start(() -> done(statement::close)),
                    race.start(rows::isClosed),
                    race.start(statement::isClosed),
                    race.start(tx::dataSource))) {
                assertThat(race.outcome(attempt).failure())
                        .hasMessageContaining(
                                "belongs to thread " + Thread.currentThread().getName());
            }
            assertThat(rows.isClosed()).isFalse();
            assertThat(rows.next()).isTrue();
            Items.insert(tx, "a");
            tx.commit();
        }
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    private static boolean done(Call call) throws SQLException {
        call.run();
        return true;
    }

    @Test
    void a_result_set_left_open_is_closed_with_the_unit() throws SQLException {
        AtomicReference<ResultSet> kept = new AtomicReference<>();
        work.run(tx -> {
            ResultSet rows = tx.connection().createStatement().executeQuery("SELECT 1");
            assertThat(rows.isClosed()).isFalse();
            rows.close();
            assertThat(rows.isClosed()).isTrue();
            kept.set(tx.connection().createStatement().executeQuery("SELECT 1"));
            assertThat(kept.get().isClosed()).isFalse();
        });
        assertThat(kept.get().isClosed()).isTrue();
    }

    @Test
    void a_joined_transaction_ends_with_its_close() {
        try (Transaction tx = work.begin()) {
            Transaction part = work.begin();
            part.close();
            part.close();
            assertThatThrownBy(part::connection)
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("This transaction");
            assertThatThrownBy(part::dataSource)
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("This transaction");
            assertThatThrownBy(tx::commit)
                    .isInstanceOf(RollbackOnlyException.class)
                    .hasMessageContaining("a call in it failed");
        }
    }

    @Test
    void each_thread_has_a_separate_unit() throws SQLException {
        List<String> names = Race.run(4, i -> {
            work.run(tx -> Items.insert(tx, "item " + i));
            return "item " + i;
        });
        assertThat(Items.in(dataSource)).isEqualTo(names);
    }

    @Test
    void repositories_share_one_atomic_unit() throws SQLException {
        work.run(tx -> {
            ItemRepository items = tx.repository(ItemRepository.class, ItemRepository::new);
            items.add("a");
            work.run(inner -> {
                assertThat(inner.repository(ItemRepository.class, ItemRepository::new))
                        .isSameAs(items);
                inner.repository(ItemRepository.class, ItemRepository::new).add("b");
            });
        });
        assertThat(Items.in(dataSource)).containsExactly("a", "b");
        assertThatThrownBy(() -> work.run(tx -> tx.repository(ItemRepository.class, connection -> {
                    throw new IOException("no");
                })))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> work.run(tx -> tx.repository(ItemRepository.class, connection -> null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("ItemRepository");
    }

    private record ItemRepository(Connection connection) {
        void add(String name) throws SQLException {
            Items.insert(connection, name);
        }
    }

    @Test
    void hooks_run_after_the_end_of_the_unit() throws SQLException {
        List<String> events = new ArrayList<>();
        work.run(tx -> {
            tx.afterRollback(() -> events.add("not this"));
            tx.afterCommit(() -> {
                assertThat(dataSourceIsIdle()).isTrue();
                work.run(next -> next.afterCommit(() -> events.add("unit of a hook")));
                events.add("first");
            });
            work.run(inner -> inner.afterCommit(() -> events.add("second")));
            assertThat(events).isEmpty();
        });
        assertThat(events).containsExactly("unit of a hook", "first", "second");
    }

    @Test
    void rollback_hooks_run_after_a_rollback_and_their_failures_are_suppressed() {
        List<String> events = new ArrayList<>();
        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterCommit(() -> events.add("not this"));
                    tx.afterRollback(() -> events.add("rolled back"));
                    tx.afterRollback(() -> {
                        throw new IllegalArgumentException("hook");
                    });
                    throw new IllegalStateException("work");
                }))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e ->
                        assertThat(e.getSuppressed()).singleElement().isInstanceOf(IllegalArgumentException.class));
        assertThat(events).containsExactly("rolled back");
        assertThatThrownBy(() -> {
                    try (Transaction tx = work.begin()) {
                        tx.afterRollback(() -> {
                            throw new IllegalArgumentException("hook");
                        });
                    }
                })
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("rolled back as requested, but");
    }

    @Test
    void a_failing_hook_does_not_revert_the_commit() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        List<String> events = new ArrayList<>();
        assertThatThrownBy(() -> work.run(tx -> {
                    runs.incrementAndGet();
                    Items.insert(tx, "a");
                    tx.afterCommit(() -> {
                        throw new IllegalStateException("first", new SQLException("conflict", "40001"));
                    });
                    tx.afterCommit(() -> {
                        throw new IllegalArgumentException("second");
                    });
                    tx.afterCommit(() -> events.add("third"));
                }))
                .isInstanceOf(AfterCommitException.class)
                .hasMessageContaining("was committed, but")
                .cause()
                .hasMessage("first")
                .hasSuppressedException(new IllegalArgumentException("second"));
        assertThat(events).containsExactly("third");
        assertThat(Items.in(dataSource)).containsExactly("a");
        assertThat(runs).hasValue(1);
    }

    @Test
    void hooks_of_a_nested_transaction_share_its_outcome() {
        List<String> events = new ArrayList<>();
        work.run(tx -> {
            tx.nested(inner -> inner.afterCommit(() -> events.add("kept")));
            assertThatThrownBy(() -> tx.nested(inner -> {
                        inner.afterCommit(() -> events.add("lost"));
                        inner.afterRollback(() -> events.add("rolled back"));
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
        });
        assertThat(events).containsExactly("kept", "rolled back");
    }

    @Test
    void the_connection_returns_to_the_pool_unchanged() throws SQLException {
        String before = state();
        work.run(tx -> Items.insert(tx, "a"));
        work.read(tx -> Items.in(tx.connection()));
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "b");
                    tx.connection().createStatement().executeQuery("SELECT * FROM item");
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        work.run(tx -> {
            work.read(inner -> Items.in(inner.connection()));
            Items.insert(tx, "c");
        });

        assertThat(state()).isEqualTo(before);
        assertThat(dataSource
                        .unwrap(HikariDataSource.class)
                        .getHikariPoolMXBean()
                        .getActiveConnections())
                .isZero();
        assertThat(Items.in(dataSource)).containsExactly("a", "c");
    }

    private String state() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            String state = connection.getAutoCommit() + " " + connection.getTransactionIsolation() + " "
                    + connection.isReadOnly() + " " + connection.getHoldability();
            return database == Database.POSTGRESQL
                    ? state + Sql.query(connection, "SHOW transaction_read_only")
                    : state + Sql.query(connection, "PRAGMA query_only");
        }
    }

    @Test
    void statements_are_closed_in_any_order_and_more_than_once() throws SQLException {
        work.run(tx -> {
            Statement first = tx.connection().createStatement();
            Statement second = tx.connection().createStatement();
            assertThat(first).isNotEqualTo(second).doesNotHaveSameHashCodeAs(second);
            first.close();
            first.close();
            assertThat(first.isClosed()).isTrue();
            second.close();
        });
    }

    @Test
    void units_on_two_engines_end_in_any_order() throws SQLException {
        String other = "jdbc:sqlite:file:other?mode=memory";
        UnitOfWork onOther = UnitOfWork.builder(other).cache(cache).build();
        Transaction first = work.begin();
        Transaction second = onOther.begin();
        assertThat(second)
                .hasToString("Transaction[" + other + ", thread "
                        + Thread.currentThread().getName() + "]");
        Items.insert(first, "a");
        first.commit();
        Sql.execute(second.connection(), "CREATE TABLE t(x)");
        second.commit();
        first.close();
        second.close();
        assertThat(Items.in(dataSource)).containsExactly("a");

        try (EngineCache third = EngineCache.create()) {
            UnitOfWork onThird = UnitOfWork.builder(other).cache(third).build();
            Transaction one = work.begin();
            Transaction two = onOther.begin();
            Transaction three = onThird.begin();
            one.close();
            two.close();
            assertThat(OpenUnits.find(onThird.engine())).isNotNull();
            three.close();
            assertThat(OpenUnits.find(onThird.engine())).isNull();
        }
    }

    @Test
    void a_nested_transaction_returns_the_result_of_its_function() throws SQLException {
        String result = work.call(tx -> tx.nestedCall(inner -> "x"));
        assertThat(result).isEqualTo("x");
    }

    @Test
    void brackets_quote_names_only_on_sqlite() throws SQLException {
        TransactionFunction<String, SQLException> function =
                tx -> Sql.query(tx.connection(), "SELECT 'x' AS [a; COMMIT]");
        if (engine.url().kind().isSqlite()) {
            assertThat(work.call(function)).isEqualTo("x");
        } else {
            assertThatThrownBy(() -> work.call(function)).hasMessageContaining("COMMIT is rejected");
        }
    }

    @Test
    void ending_a_unit_keeps_the_units_begun_before_and_after_it_open() throws SQLException {
        UnitOfWork onOther = UnitOfWork.builder("jdbc:sqlite:file:other?mode=memory")
                .cache(cache)
                .build();
        try (EngineCache another = EngineCache.create()) {
            UnitOfWork onThird = UnitOfWork.builder("jdbc:sqlite:file:third?mode=memory")
                    .cache(another)
                    .build();
            Transaction outer = work.begin();
            Transaction middle = onOther.begin();
            Transaction inner = onThird.begin();
            middle.close();
            work.run(joined -> Items.insert(joined, "a"));
            assertThat(Items.in(outer.connection())).containsExactly("a");
            outer.close();
            inner.close();
        }
        assertThat(Items.in(dataSource)).isEmpty();
    }

    @Test
    void the_builder_rejects_settings_for_an_existing_engine() {
        assertThatThrownBy(() -> UnitOfWork.builder(engine).cache(cache).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(engine.url().toString());
        assertThatThrownBy(() -> UnitOfWork.builder(engine)
                        .settings(EngineSettings.defaults())
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
        UnitOfWork shared = UnitOfWork.on("jdbc:sqlite:file:shared?mode=memory");
        assertThat(EngineCache.shared().evict(shared.engine().url())).isTrue();
        assertThatThrownBy(() -> UnitOfWork.on("nonsense")).isInstanceOf(InvalidDatabaseUrlException.class);
        assertThatThrownBy(() -> UnitOfWork.on((String) null)).isInstanceOf(InvalidDatabaseUrlException.class);
        assertThatThrownBy(() -> UnitOfWork.on((Engine) null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void statements_left_open_do_not_prevent_the_commit() throws SQLException {
        AtomicReference<Statement> left = new AtomicReference<>();
        work.run(tx -> {
            Items.insert(tx, "a");
            Items.insert(tx, "b");
            Statement statement = tx.connection().createStatement();
            left.set(statement);
            ResultSet rows = statement.executeQuery("SELECT name FROM item");
            assertThat(rows.next()).isTrue();
            // SQLite does not commit while a statement is writing.
            ResultSet written = tx.connection()
                    .createStatement()
                    .executeQuery("INSERT INTO item VALUES ('c'), ('d') RETURNING name");
            assertThat(written.next()).isTrue();
        });
        assertThat(left.get().unwrap(Statement.class).toString()).isNotNull();
        assertThat(Items.in(dataSource)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void a_failed_commit_rolls_back() throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE child(parent TEXT REFERENCES item(name) DEFERRABLE INITIALLY DEFERRED)");
        List<String> events = new ArrayList<>();

        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterRollback(() -> events.add("rolled back"));
                    Items.insert(tx, "a");
                    Sql.execute(tx.connection(), "INSERT INTO child VALUES ('nobody')");
                }))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("Cannot commit the unit of work on " + engine.url() + ", which was rolled back")
                .hasCauseInstanceOf(SQLException.class);

        assertThat(events).containsExactly("rolled back");
        assertThat(Items.in(dataSource)).isEmpty();
        Transaction tx = work.begin();
        Sql.execute(tx.connection(), "INSERT INTO child VALUES ('nobody')");
        assertThatThrownBy(tx::commit).isInstanceOf(TransactionException.class);
        tx.close();
        work.run(next -> Items.insert(next, "a"));
    }

    @Test
    void savepoints_set_on_the_connection_work() throws SQLException {
        work.run(tx -> {
            Connection connection = tx.connection();
            Items.insert(connection, "a");
            Savepoint savepoint = connection.setSavepoint();
            Items.insert(connection, "b");
            connection.rollback(savepoint);
            connection.releaseSavepoint(savepoint);
        });
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    @Test
    void a_broken_connection_is_not_reused() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "a");
                    kill(tx.connection());
                    Items.insert(tx, "b");
                }))
                .isInstanceOf(SQLException.class);

        work.run(tx -> Items.insert(tx, "c"));
        assertThat(Items.in(dataSource)).containsExactly("c");
    }

    @Test
    void a_connection_lost_before_the_commit_is_reported() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "a");
                    kill(tx.connection());
                }))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("commit")
                .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
        assertThat(Items.in(dataSource)).isEmpty();
    }

    /** Ends the connection, as an administrator or a bug elsewhere might. */
    private void kill(Connection connection) throws SQLException {
        if (database == Database.POSTGRESQL) {
            String pid = Sql.query(connection, "SELECT pg_backend_pid()");
            Sql.query(dataSource, "SELECT pg_terminate_backend(" + pid + ")");
            await().until(() -> Sql.query(dataSource, "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
                    .equals("0"));
        } else {
            Kill.physically(connection);
        }
    }

    @Test
    void a_closed_engine_is_reported() throws SQLException {
        UnitOfWork onEngine = UnitOfWork.on(engine);
        assertThat(onEngine.engine()).isSameAs(engine);
        assertThat(onEngine).hasToString("UnitOfWork[" + engine.url() + "]");
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "a");
                    engine.close();
                    Items.insert(tx, "b");
                }))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> onEngine.run(tx -> {})).isInstanceOf(EngineClosedException.class);
        assertThatThrownBy(onEngine::begin).isInstanceOf(EngineClosedException.class);
        assertThat(OpenUnits.find(engine)).isNull();

        Engine next = work.engine();
        assertThat(next).isNotSameAs(engine).isSameAs(cache.engine(engine.url()));
        cache.close();
        assertThatThrownBy(() -> work.run(tx -> {})).isInstanceOf(EngineClosedException.class);
    }

    @Test
    void an_engine_is_prepared_before_its_first_unit() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        UnitOfWork prepared = UnitOfWork.builder(engine)
                .prepare(Preparation.of("first item", e -> {
                    runs.incrementAndGet();
                    Sql.execute(e.dataSource(), "INSERT INTO item VALUES ('first')");
                }))
                .build();

        List<Integer> seen =
                Race.run(8, i -> prepared.read(tx -> Items.in(tx.connection()).size()));

        assertThat(seen).containsOnly(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void all_preparations_run_once_and_in_order() throws SQLException {
        List<String> runs = new ArrayList<>();
        UnitOfWork.Builder builder = UnitOfWork.builder(engine)
                .prepare(Preparation.of("first", e -> runs.add("first")))
                .prepare(Preparation.of("second", e -> runs.add("second")))
                .prepare(Preparation.of("first", e -> runs.add("first again")));
        UnitOfWork prepared = builder.build();
        builder.prepare(Preparation.of("for others", e -> runs.add("for others")));

        prepared.run(tx -> {});
        prepared.run(tx -> {});

        assertThat(runs).containsExactly("first", "second");
        builder.build().run(tx -> {});
        assertThat(runs).containsExactly("first", "second", "for others");
        assertThatThrownBy(() -> builder.prepare(null)).hasMessage("step");
    }

    @Test
    void no_preparation_runs_after_a_failed_one_and_the_next_unit_retries() throws SQLException {
        List<String> runs = new ArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        UnitOfWork prepared = UnitOfWork.builder(engine)
                .prepare(Preparation.of("first", e -> runs.add("first")))
                .prepare(Preparation.of("fails once", e -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                }))
                .prepare(Preparation.of("last", e -> runs.add("last")))
                .build();
        assertThatThrownBy(() -> prepared.run(tx -> {})).hasMessageContaining("not yet");
        assertThat(runs).containsExactly("first");
        work.run(tx -> assertThatThrownBy(() -> prepared.run(inner -> {})).hasMessageContaining("\"fails once\""));
        prepared.run(tx -> {});
        assertThat(runs).containsExactly("first", "last");
    }

    /** The hidden statement behind the result set would keep the connection at its old snapshot of the database. */
    @Test
    void a_metadata_result_set_left_open_is_closed_with_the_unit() throws SQLException {
        List<ResultSet> left = new ArrayList<>();
        work.run(tx -> {
            ResultSet tables = tx.connection().getMetaData().getTables(null, null, "item", null);
            assertThat(tables.next()).isTrue();
            left.add(Kill.target(tables));
            tx.connection().getMetaData().getTables(null, null, null, null).close();
        });
        assertThat(left.get(0).isClosed()).isTrue();
        work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE other(x INTEGER)"));
    }

    @Test
    void a_call_cannot_join_or_replace_a_unit_whose_engine_was_closed() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    engine.close();
                    assertThatThrownBy(() -> work.run(part -> {}))
                            .isInstanceOf(TransactionException.class)
                            .hasMessageContaining("its engine was closed");
                    throw new IllegalStateException("work");
                }))
                .hasMessage("work");
        work.run(tx -> {});
    }

    @Test
    void a_null_argument_is_named_in_the_exception() {
        assertThatThrownBy(() -> work.run(null)).hasMessage("action");
        assertThatThrownBy(() -> work.call(null)).hasMessage("function");
        assertThatThrownBy(() -> UnitOfWork.builder(engine).queueTimeout(null).build())
                .hasMessage("queueTimeout");
        assertThatThrownBy(() -> UnitOfWork.builder(engine).retry(null).build()).hasMessage("retry");
        assertThatThrownBy(() -> new RetryPolicy(1, null, null, null)).hasMessage("firstDelay");
    }

    @Test
    void a_preparation_does_not_run_inside_a_unit() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        UnitOfWork prepared = UnitOfWork.builder(engine)
                .prepare(Preparation.of("a step", e -> runs.incrementAndGet()))
                .build();
        work.run(tx -> assertThatThrownBy(() -> prepared.run(inner -> {}))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("\"a step\"")
                .hasMessageContaining("engine()"));
        assertThat(runs).hasValue(0);
        prepared.engine();
        UnitOfWork another = UnitOfWork.builder(engine)
                .prepare(Preparation.of("a step", e -> runs.incrementAndGet()))
                .build();
        work.run(tx -> another.run(inner -> Items.insert(inner, "a")));
        assertThat(runs).hasValue(1);
    }

    @Test
    void closing_a_unit_inside_a_joined_call_fails_that_call() throws SQLException {
        for (boolean reading : List.of(true, false)) {
            Transaction tx = work.begin();
            Items.insert(tx, "a");
            TransactionFunction<Boolean, RuntimeException> closing = part -> {
                tx.close();
                return true;
            };
            assertThatThrownBy(() -> {
                        if (reading) {
                            work.read(closing);
                        } else {
                            work.call(closing);
                        }
                    })
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("closed and rolled back within");
            assertThat(Items.in(dataSource)).isEmpty();
            work.run(next -> Items.insert(next, "next")); // the next unit can write
            work.run(next -> Sql.execute(next.connection(), "DELETE FROM item"));
        }
    }

    @Test
    void closing_a_unit_inside_its_nested_transaction_fails_that_call() throws SQLException {
        Transaction tx = work.begin();
        Items.insert(tx, "a");
        assertThatThrownBy(() -> tx.nested(inner -> tx.close()))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("closed and rolled back within")
                .hasNoSuppressedExceptions();
        assertThat(Items.in(dataSource)).isEmpty();
    }

    @Test
    void a_joined_transaction_may_be_closed_after_the_unit() throws SQLException {
        Transaction tx = work.begin();
        Transaction part = work.begin();
        tx.close();
        part.close();
        part.close();
        assertThat(OpenUnits.find(engine)).isNull();
    }

    @Test
    void a_statement_is_cancelled_only_while_it_is_open() throws SQLException {
        AtomicReference<Statement> kept = new AtomicReference<>();
        work.run(tx -> {
            Statement closed = tx.connection().createStatement();
            closed.close();
            closed.cancel();
            kept.set(tx.connection().createStatement());
            assertThat(kept.get().isClosed()).isFalse();
        });
        work.run(tx -> {
            kept.get().cancel();
            assertThat(Items.in(tx.connection())).isEmpty();
        });
        assertThat(kept.get().isClosed()).isTrue();
    }

    @Test
    void an_interrupted_thread_can_run_a_unit_that_does_not_wait() throws SQLException {
        Thread.currentThread().interrupt();
        work.run(tx -> {
            assertThat(Thread.interrupted()).isTrue(); // PostgreSQL's driver fails in an interrupted thread
            Items.insert(tx, "a");
        });
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    @Test
    void a_hook_exception_whose_methods_throw_is_reported() {
        assertThatThrownBy(() -> work.run(tx -> tx.afterCommit(() -> {
                    throw new IllegalStateException() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public String getMessage() {
                            throw new IllegalArgumentException();
                        }
                    };
                })))
                .isInstanceOf(AfterCommitException.class)
                .hasMessageContaining("UnitOfWorkTest");
    }

    @Test
    void a_committed_unit_whose_hook_failed_is_not_repeated_by_the_outer_unit() throws SQLException {
        String other = "jdbc:sqlite:file:other?mode=memory";
        UnitOfWork onOther = UnitOfWork.builder(other).cache(cache).build();
        AtomicInteger runs = new AtomicInteger();
        TransactionAction<RuntimeException> failingAfterCommit = tx -> onOther.run(inner -> {
            runs.incrementAndGet();
            inner.afterCommit(() -> {
                throw new IllegalStateException(new SQLException("conflict", "40001"));
            });
        });
        List<TransactionAction<SQLException>> ways = List.of(
                failingAfterCommit::run,
                tx -> work.run(failingAfterCommit),
                tx -> work.read(joined -> {
                    failingAfterCommit.run(joined);
                    return true;
                }),
                tx -> tx.nested(failingAfterCommit),
                tx -> tx.nested(inner -> inner.nested(failingAfterCommit)));
        for (TransactionAction<SQLException> way : ways) {
            runs.set(0);
            List<String> hooks = new ArrayList<>();
            assertThatThrownBy(() -> work.run(tx -> {
                        tx.afterCommit(() -> hooks.add("committed"));
                        tx.afterRollback(() -> hooks.add("rolled back"));
                        Items.insert(tx, "lost");
                        way.run(tx);
                    }))
                    .isInstanceOf(TransactionException.class)
                    .isNotInstanceOf(AfterCommitException.class)
                    .hasMessageContaining("unit of work on " + engine.url())
                    .hasMessageContaining("rolled back")
                    .cause()
                    .isInstanceOf(AfterCommitException.class)
                    .hasMessageContaining(onOther.engine().url().toString());
            assertThat(runs).hasValue(1);
            assertThat(hooks).containsExactly("rolled back");
            assertThat(Items.in(dataSource)).isEmpty();
        }
    }

    @Test
    void a_nested_transaction_reports_its_rollback_and_not_the_commit_of_another_unit() throws SQLException {
        UnitOfWork onOther = UnitOfWork.builder("jdbc:sqlite:file:other?mode=memory")
                .cache(cache)
                .build();
        work.run(tx -> {
            Items.insert(tx, "kept");
            assertThatThrownBy(() -> tx.nested(inner -> {
                        Items.insert(inner, "lost");
                        onOther.run(other -> other.afterCommit(() -> {
                            throw new IllegalStateException("hook");
                        }));
                    }))
                    .isNotInstanceOf(AfterCommitException.class)
                    .hasMessageContaining("nested transaction")
                    .hasCauseInstanceOf(AfterCommitException.class);
        });
        assertThat(Items.in(dataSource)).containsExactly("kept");
    }

    @Test
    void durations_of_any_length_are_accepted() throws SQLException {
        Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
        UnitOfWork patient = UnitOfWork.builder(engine)
                .queueTimeout(ages)
                .leakAfter(ages)
                .retry(new RetryPolicy(2, Duration.ZERO, ages, ages))
                .build();
        AtomicInteger runs = new AtomicInteger();
        patient.run(tx -> {
            if (runs.incrementAndGet() == 1) {
                throw new SQLException("conflict", "40001");
            }
        });
        try (Transaction tx = patient.begin()) {
            tx.commit();
        }
        assertThat(runs).hasValue(2);
    }

    @Test
    void metadata_gives_no_way_around_the_guard() throws SQLException {
        work.run(tx -> {
            try (PreparedStatement statement =
                    tx.connection().prepareStatement("SELECT name FROM item WHERE name = ?")) {
                assertThat(statement.getMetaData().getColumnCount()).isEqualTo(1);
                assertThat(statement.getMetaData()).isNotInstanceOf(Statement.class);
                assertThat(statement.getParameterMetaData()).isNotInstanceOf(Statement.class);
                statement.setString(1, "a");
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.getMetaData().getColumnName(1)).isEqualTo("name");
                    assertThat(rows.getMetaData()).isNotInstanceOf(ResultSet.class);
                }
            }
        });
    }

    @Test
    void the_connection_gives_no_way_around_the_guard() throws SQLException {
        assertThatThrownBy(() -> work.run(this::tryAllWays))
                .isInstanceOf(RollbackOnlyException.class)
                .hasMessageContaining("rollback() is rejected");
        assertThat(Items.in(dataSource)).isEmpty();
    }

    private void tryAllWays(Transaction tx) throws SQLException {
        Connection connection = tx.connection();
        assertThat(tx.connection()).isSameAs(connection).isEqualTo(connection).hasSameHashCodeAs(connection);
        for (Connection face : faces(tx)) {
            assertRejected("commit()", face::commit);
            assertRejected("rollback()", face::rollback);
            assertRejected("setAutoCommit()", () -> face.setAutoCommit(false));
            assertRejected(
                    "setTransactionIsolation()",
                    () -> face.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
            assertRejected("setReadOnly()", () -> face.setReadOnly(true));
            assertRejected("setHoldability()", () -> face.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT));
            assertRejected("abort()", () -> face.abort(Runnable::run));
            assertRejected("beginRequest()", face::beginRequest);
            assertRejected("endRequest()", face::endRequest);
            assertRejected("unwrap", () -> face.unwrap(org.sqlite.SQLiteConnection.class));
            assertRejected("unwrap", () -> face.unwrap(com.zaxxer.hikari.pool.ProxyConnection.class));
            assertThat(face.unwrap(Connection.class)).isSameAs(face);
            assertThat(face.isWrapperFor(Connection.class)).isTrue();
            assertThat(face.isWrapperFor(org.sqlite.SQLiteConnection.class)).isFalse();
            assertThat(face.getAutoCommit()).isFalse();
            assertThat(face.isReadOnly()).isFalse();
            assertThat(face.isClosed()).isFalse();
            assertThat(face).hasToString("Connection of the unit of work on " + engine.url());
            for (String sql : List.of("COMMIT", "ROLLBACK", "BEGIN", "SELECT 1; COMMIT")) {
                assertRejected("", () -> face.prepareStatement(sql));
                assertRejected("", () -> face.prepareCall(sql));
                assertRejected("", () -> face.nativeSQL(sql));
                try (Statement statement = face.createStatement()) {
                    assertRejected("", () -> statement.execute(sql));
                    assertRejected("", () -> statement.executeQuery(sql));
                    assertRejected("", () -> statement.executeUpdate(sql));
                    assertRejected("", () -> statement.executeLargeUpdate(sql));
                    assertRejected("", () -> statement.addBatch(sql));
                    assertRejected("", () -> statement.unwrap(statementOfPool()));
                    assertThat(statement.getConnection()).isSameAs(face);
                }
            }
        }
        assertRejected("close()", connection::close);
        Items.insert(connection, "a");
    }

    /** Returns the connection objects that participants can reach, by every route. */
    private static List<Connection> faces(Transaction tx) throws SQLException {
        Connection connection = tx.connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM item");
        assertThat(rows.getStatement()).isSameAs(statement);
        ResultSet tables = connection.getMetaData().getTables(null, null, "item", null);
        List<Connection> faces = new ArrayList<>(List.of(
                connection,
                statement.getConnection(),
                rows.getStatement().getConnection(),
                connection.getMetaData().getConnection(),
                connection.prepareStatement("SELECT 1").getConnection()));
        if (tables.getStatement() != null) {
            faces.add(tables.getStatement().getConnection());
        }
        assertThat(faces).allSatisfy(face -> assertThat(face).isSameAs(connection));
        faces.add(tx.dataSource().getConnection());
        return faces;
    }

    private static Class<?> statementOfPool() {
        return com.zaxxer.hikari.pool.ProxyStatement.class;
    }

    private interface Call {
        void run() throws SQLException;
    }

    private void assertRejected(String what, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("rejected")
                .hasMessageContaining("unit of work on " + engine.url())
                .hasMessageContaining(Thread.currentThread().getName());
    }

    @Test
    void the_data_source_of_a_transaction_lends_its_connection() throws SQLException {
        work.run(tx -> {
            DataSource lender = tx.dataSource();
            Connection first = lender.getConnection();
            Items.insert(first, "a");
            first.close();
            first.close();
            assertThat(first.isClosed()).isTrue();
            assertThatThrownBy(first::createStatement)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("closed by its user");
            try (Connection second = lender.getConnection()) {
                assertThat(Items.in(second)).containsExactly("a");
            }
            assertThat(lender).hasToString("DataSource of a transaction on " + engine.url());
            assertThatThrownBy(() -> lender.getConnection("joe", "secret")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> lender.unwrap(HikariDataSource.class)).isInstanceOf(SQLException.class);
            assertThatThrownBy(lender::getParentLogger).isInstanceOf(SQLException.class);
            assertThat(lender.isWrapperFor(HikariDataSource.class)).isFalse();
            assertThat(lender.isWrapperFor(DataSource.class)).isTrue();
            assertThat(lender.unwrap(DataSource.class)).isSameAs(lender);
            lender.setLogWriter(null);
            assertThat(lender.getLogWriter()).isNull();
            lender.setLoginTimeout(1);
            assertThat(lender.getLoginTimeout()).isZero();
        });
        DataSource[] kept = new DataSource[1];
        work.run(tx -> kept[0] = tx.dataSource());
        assertThatThrownBy(() -> kept[0].getConnection())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("has ended");
    }
}
