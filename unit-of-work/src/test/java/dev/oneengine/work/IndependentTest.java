package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class IndependentTest {
    @TempDir
    Path directory;

    @Test
    void an_independent_unit_is_committed_even_if_the_outer_unit_is_rolled_back() throws SQLException {
        String url = Database.POSTGRESQL.url(directory);
        try (EngineCache cache = Items.cacheWithTable(url)) {
            UnitOfWork work = UnitOfWork.builder(url).cache(cache).build();
            assertThatThrownBy(() -> work.run(tx -> {
                        Items.insert(tx, "rolled back");
                        tx.independent(log -> {
                            assertThat(Items.in(log.connection())).isEmpty();
                            Items.insert(log, "kept");
                            work.run(joined -> Items.insert(joined, "kept, too"));
                        });
                        assertThatThrownBy(() -> tx.independent(log -> {
                                    Items.insert(log, "of no effect");
                                    throw new IllegalArgumentException("independent unit");
                                }))
                                .isInstanceOf(IllegalArgumentException.class);
                        assertThat(tx.isRollbackOnly()).isFalse();
                        String result = tx.independentCall(log -> "result");
                        assertThat(result).isEqualTo("result");
                        throw new IllegalStateException("outer unit");
                    }))
                    .hasMessage("outer unit");
            assertThat(Items.in(cache.engine(url).dataSource())).containsExactly("kept", "kept, too");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "FILE"})
    void an_independent_unit_inside_a_writer_on_sqlite_fails_at_once(Database database) throws SQLException {
        String url = database.url(directory);
        try (EngineCache cache = Items.cacheWithTable(url)) {
            UnitOfWork work = UnitOfWork.builder(url).cache(cache).build();
            work.run(tx -> {
                assertThatThrownBy(() -> tx.independent(log -> {}))
                        .isInstanceOf(TransactionException.class)
                        .hasMessageContaining("would wait for ever")
                        .hasMessageContaining(cache.engine(url).url().toString())
                        .hasMessageContaining("afterCommit");
                Items.insert(tx, "a");
            });
            assertThat(Items.in(cache.engine(url).dataSource())).containsExactly("a");
        }
    }

    @Test
    void an_independent_unit_inside_a_reader_fails_at_once_in_memory_but_runs_on_a_file() throws SQLException {
        for (Database database : List.of(Database.MEMORY, Database.FILE)) {
            String url = database.url(directory);
            try (EngineCache cache = Items.cacheWithTable(url)) {
                UnitOfWork work = UnitOfWork.builder(url).cache(cache).build();
                work.<Boolean, SQLException>read(tx -> {
                    if (database == Database.MEMORY) {
                        assertThatThrownBy(() -> tx.independent(log -> {})).hasMessageContaining("for ever");
                    } else {
                        assertThat(Items.in(tx.connection())).isEmpty();
                        tx.independent(log -> Items.insert(log, "a"));
                        assertThat(Items.in(tx.connection())).isEmpty();
                    }
                    return true;
                });
            }
        }
    }

    /** Units hold all connections and wait for a second one: the last of them fails, and the others continue. */
    @RepeatedTest(10)
    void a_deadlock_of_threads_that_hold_all_connections_is_detected_at_once() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        try (EngineCache cache = Items.cacheWithTable(url + "?")) {
            cache.evict(url);
            Engine engine =
                    cache.engine(url, EngineSettings.builder().poolSize(3).build());
            UnitOfWork work = UnitOfWork.on(engine);
            CyclicBarrier allHold = new CyclicBarrier(3);

            List<Outcome<String>> outcomes = Race.outcomes(
                    3,
                    i -> work.call(tx -> {
                        allHold.await(60, TimeUnit.SECONDS);
                        return tx.independentCall(log -> {
                            Items.insert(log, "item " + i);
                            return "done";
                        });
                    }));

            assertThat(outcomes.stream().filter(outcome -> outcome.failure() == null))
                    .hasSize(2);
            assertThat(outcomes.stream().filter(outcome -> outcome.failure() != null))
                    .singleElement()
                    .satisfies(outcome -> assertThat(outcome.failure())
                            .isInstanceOf(TransactionException.class)
                            .hasMessageContaining("all 3 connections of the pool"));
            assertThat(Items.in(engine.dataSource())).hasSize(2);
        }
    }

    /**
     * Readers hold all connections, and each needs to write, so a thread with a turn opens a connection outside the pool.
     */
    @RepeatedTest(10)
    void a_writer_with_a_turn_does_not_wait_for_the_pool() throws Exception {
        String url = Database.FILE.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            Engine engine =
                    cache.engine(url, EngineSettings.builder().poolSize(2).build());
            UnitOfWork work = UnitOfWork.on(engine);
            work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE IF NOT EXISTS item(name TEXT PRIMARY KEY)"));
            CyclicBarrier allHold = new CyclicBarrier(2);
            List<Outcome<String>> outcomes = Race.outcomes(
                    2,
                    i -> work.read(tx -> {
                        allHold.await(60, TimeUnit.SECONDS);
                        return tx.independentCall(log -> {
                            Items.insert(log, "item " + i);
                            return "done";
                        });
                    }));
            assertThat(outcomes).allMatch(outcome -> "done".equals(outcome.result()));
            assertThat(Items.in(engine.dataSource())).containsExactly("item 0", "item 1");
        }
    }

    @Test
    void a_thread_that_holds_all_connections_gets_a_clear_message() throws SQLException {
        String url = Database.POSTGRESQL.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            UnitOfWork work = UnitOfWork.builder(url)
                    .cache(cache)
                    .settings(EngineSettings.builder().poolSize(2).build())
                    .build();
            work.run(first -> first.independent(second -> assertThatThrownBy(() -> second.independent(third -> {}))
                    .hasMessageContaining("all 2 connections")));
            work.run(tx -> {});
        }
    }
}
