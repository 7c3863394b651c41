package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettingsException;
import dev.oneengine.cache.Preparation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A unit leaves nothing behind for the next user of its connection, thread or turn, however the unit ends. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Database.class)
class NothingLeftTest {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();
    private String url;
    private Engine engine;
    private DataSource dataSource;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        url = database.url(directory);
        engine = cache.engine(url, EngineSettings.builder().poolSize(1).build());
        dataSource = engine.dataSource();
        Sql.execute(
                dataSource,
                "CREATE TABLE item(name TEXT PRIMARY KEY)",
                "CREATE TABLE child(parent TEXT REFERENCES item(name) DEFERRABLE INITIALLY DEFERRED)");
        work = UnitOfWork.on(engine);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private int active() throws SQLException {
        return dataSource.unwrap(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections();
    }

    private static void violate(Transaction tx) throws SQLException {
        Sql.execute(tx.connection(), "INSERT INTO child VALUES ('nobody')");
    }

    private void swallowJoined() {
        assertThatThrownBy(() -> work.run(joined -> {
                    throw new IllegalStateException("joined");
                }))
                .hasMessage("joined");
    }

    private interface End {
        void run(TransactionAction<SQLException> before) throws SQLException;
    }

    /** All ways in which a writing unit can end with a rollback. */
    private Map<String, End> rollbacks() {
        Map<String, End> ends = new LinkedHashMap<>();
        ends.put(
                "throws",
                before -> work.run(tx -> {
                    before.run(tx);
                    throw new IllegalStateException("work");
                }));
        ends.put(
                "requests a rollback",
                before -> work.run(tx -> {
                    before.run(tx);
                    tx.setRollbackOnly();
                }));
        ends.put(
                "swallows a failure of a joined call",
                before -> work.run(tx -> {
                    before.run(tx);
                    swallowJoined();
                }));
        ends.put(
                "swallows a rejected rollback",
                before -> work.run(tx -> {
                    before.run(tx);
                    assertThatThrownBy(() -> tx.connection().rollback()).isInstanceOf(SQLException.class);
                }));
        ends.put(
                "cannot be committed",
                before -> work.run(tx -> {
                    before.run(tx);
                    violate(tx);
                }));
        ends.put("cannot be committed by its caller", before -> {
            try (Transaction tx = work.begin()) {
                before.run(tx);
                violate(tx);
                tx.commit();
            }
        });
        ends.put("is closed", before -> {
            try (Transaction tx = work.begin()) {
                before.run(tx);
            }
        });
        ends.put(
                "leaves a joined transaction open",
                before -> work.run(tx -> {
                    before.run(tx);
                    work.begin();
                }));
        if (database == Database.POSTGRESQL) {
            ends.put(
                    "swallows a failed statement",
                    before -> work.run(tx -> {
                        before.run(tx);
                        assertThatThrownBy(() -> Sql.execute(tx.connection(), "nonsense"))
                                .isInstanceOf(SQLException.class);
                    }));
        }
        return ends;
    }

    @Test
    void rollback_hooks_run_after_the_connection_and_the_turn_are_returned() throws SQLException {
        for (Map.Entry<String, End> end : rollbacks().entrySet()) {
            String name = end.getKey();
            List<String> hooks = new ArrayList<>();
            Throwable thrown = catchThrowable(() -> end.getValue().run(tx -> {
                Items.insert(tx, "lost");
                tx.afterCommit(() -> hooks.add("committed"));
                tx.afterRollback(() -> {
                    assertThat(OpenUnits.find(engine)).as(name).isNull();
                    try {
                        assertThat(active()).as(name).isZero();
                        assertThat(Items.in(dataSource)).as(name).isEmpty();
                        work.run(next -> Items.insert(next, "of the hook"));
                        assertThat(Items.in(dataSource)).as(name).containsExactly("of the hook");
                        Sql.execute(dataSource, "DELETE FROM item");
                    } catch (SQLException e) {
                        throw new AssertionError(name, e);
                    }
                    hooks.add("rolled back");
                });
            }));
            assertThat(hooks).as(name).containsExactly("rolled back");
            if (thrown != null) {
                assertThat(thrown.getSuppressed()).as(name).isEmpty();
            }
        }
    }

    @Test
    void the_next_plain_transaction_is_empty_and_writable() throws Exception {
        Map<String, End> ends = new LinkedHashMap<>(rollbacks());
        ends.put("commits", before -> work.run(tx -> {}));
        ends.put("reads", before -> work.read(tx -> Items.in(tx.connection())));
        ends.put(
                "reads and throws",
                before -> work.read(tx -> {
                    throw new IllegalStateException("work");
                }));
        ends.put(
                "writes in a read-only unit",
                before -> work.read(tx -> {
                    Items.insert(tx, "lost");
                    return true;
                }));
        ends.put("reads in a joined call", before -> work.run(tx -> work.read(inner -> Items.in(inner.connection()))));
        ends.put(
                "rolls a nested transaction back",
                before -> work.run(tx -> tx.nested(inner -> {
                    before.run(inner);
                    inner.setRollbackOnly();
                })));
        for (Map.Entry<String, End> end : ends.entrySet()) {
            String name = end.getKey();
            Throwable ended = catchThrowable(() -> end.getValue().run(tx -> Items.insert(tx, "lost")));
            assertThat(ended instanceof AssertionError).as(name).isFalse();
            assertThat(active()).as(name).isZero();
            assertThat(LeakWatch.watched()).as(name).isZero();
            try (Connection connection = dataSource.getConnection()) {
                assertThat(connection.getAutoCommit()).as(name).isTrue();
                assertThat(connection.isReadOnly()).as(name).isFalse();
                connection.setAutoCommit(false);
                Items.insert(connection, "rolled back");
                connection.rollback();
                Items.insert(connection, "kept");
                connection.commit();
                connection.setAutoCommit(true);
            }
            try (Race race = Race.withThreads(1)) { // another thread also gets a clean connection
                race.result(race.start(() -> {
                    work.run(
                            tx -> assertThat(Items.in(tx.connection())).as(name).containsExactly("kept"));
                    return true;
                }));
            }
            Sql.execute(dataSource, "DELETE FROM item");
        }
    }

    @Test
    void a_rejected_call_is_rejected_every_time() throws SQLException {
        UnitOfWork others = UnitOfWork.builder(url)
                .cache(cache)
                .settings(EngineSettings.builder().poolSize(3).build())
                .build();
        UnitOfWork unprepared = UnitOfWork.builder(engine)
                .prepare(Preparation.of("a step", e -> {}))
                .build();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> others.run(tx -> {})).isInstanceOf(EngineSettingsException.class);
            assertThatThrownBy(others::begin).isInstanceOf(EngineSettingsException.class);
        }
        work.run(tx -> {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> unprepared.run(inner -> {})).hasMessageContaining("\"a step\"");
                assertThatThrownBy(unprepared::engine).hasMessageContaining("\"a step\"");
            }
        });
        work.<Boolean, RuntimeException>read(tx -> {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> work.run(inner -> {})).hasMessageContaining("read-only unit of work");
                assertThatThrownBy(work::begin).hasMessageContaining("read-only unit of work");
            }
            return true;
        });
        unprepared.run(tx -> Items.insert(tx, "a"));
        assertThat(Items.in(dataSource)).containsExactly("a");
    }

    @Test
    void a_unit_with_a_queue_timeout_of_zero_never_waits() throws Exception {
        UnitOfWork impatient = UnitOfWork.builder(engine)
                .queueTimeout(Duration.ZERO)
                .retry(RetryPolicy.never())
                .build();
        for (int i = 0; i < 3; i++) {
            String name = "item " + i;
            impatient.run(tx -> Items.insert(tx, name));
        }
        if (database == Database.POSTGRESQL) {
            return; // units on PostgreSQL need no turn
        }
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Race race = Race.withThreads(1)) {
            Future<Boolean> holder = race.start(() -> work.call(tx -> {
                holds.countDown();
                return mayEnd.await(60, TimeUnit.SECONDS);
            }));
            assertThat(holds.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> impatient.run(tx -> {}))
                        .isInstanceOf(TransactionException.class)
                        .hasMessageContaining("racer-0");
            }
            mayEnd.countDown();
            assertThat(race.result(holder)).isTrue();
        }
        impatient.run(tx -> Items.insert(tx, "next"));
        assertThat(Items.in(dataSource)).hasSize(4);
    }

    @Test
    void a_rejected_independent_unit_leaks_nothing() throws Exception {
        work.run(tx -> {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> tx.independent(log -> {}))
                        .isInstanceOf(TransactionException.class)
                        .hasMessageContaining("for ever");
            }
            Items.insert(tx, "a");
        });
        assertThat(active()).isZero();
        // This thread holds nothing now, so it waits for the only connection and for the turn like any other thread.
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Race race = Race.withThreads(2)) {
            Future<Boolean> holder = race.start(() -> work.call(tx -> {
                holds.countDown();
                return mayEnd.await(60, TimeUnit.SECONDS);
            }));
            assertThat(holds.await(60, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> ending = race.start(() -> {
                mayEnd.countDown();
                return true;
            });
            work.run(tx -> Items.insert(tx, "b"));
            assertThat(race.result(ending)).isTrue();
            assertThat(race.result(holder)).isTrue();
        }
        assertThat(Items.in(dataSource)).containsExactly("a", "b");
    }
}
