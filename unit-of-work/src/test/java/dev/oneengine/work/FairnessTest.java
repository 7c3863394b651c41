package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.ThreadStates;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FairnessTest {
    private static final String URL = "sqlite:///:memory:";

    @TempDir
    Path directory;

    private EngineCache cache;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        cache = Items.cacheWithTable(URL);
        work = UnitOfWork.builder(URL).cache(cache).build();
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @RepeatedTest(10)
    void writers_run_in_the_order_of_their_arrival() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        try (Race race = Race.withThreads(6)) {
            List<Future<Boolean>> writers = new ArrayList<>();
            work.run(tx -> {
                for (int i = 0; i < 6; i++) {
                    int number = i;
                    AtomicReference<Thread> thread = new AtomicReference<>();
                    writers.add(race.start(() -> {
                        thread.set(Thread.currentThread());
                        work.run(mine -> order.add(number));
                        return true;
                    }));
                    ThreadStates.awaitTimedWait(thread);
                }
                assertThat(order).isEmpty();
            });
            writers.forEach(race::result);
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void readers_run_concurrently() {
        CyclicBarrier allRead = new CyclicBarrier(4);
        List<Integer> results = Race.run(
                4,
                i -> work.read(tx -> {
                    allRead.await(60, TimeUnit.SECONDS);
                    return i;
                }));
        assertThat(results).containsExactly(0, 1, 2, 3);
    }

    /** Readers beyond the pool size wait in the queue, not in the pool, whose timeout is short. */
    @Test
    void readers_beyond_the_pool_size_wait_in_the_queue() throws Exception {
        UnitOfWork impatient =
                UnitOfWork.builder(URL).cache(cache).queueTimeout(Duration.ZERO).build();
        CountDownLatch allIn = new CountDownLatch(10);
        CountDownLatch mayGo = new CountDownLatch(1);
        try (Race race = Race.withThreads(10)) {
            List<Future<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                readers.add(race.start(() -> work.read(tx -> {
                    allIn.countDown();
                    return mayGo.await(60, TimeUnit.SECONDS);
                })));
            }
            assertThat(allIn.await(60, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> impatient.read(tx -> 1)).hasMessageContaining("is reading");
            mayGo.countDown();
            readers.forEach(race::result);
        }
    }

    /** All threads read first and then write. Plain SQLite fails such transactions at once, whatever the timeout. */
    @RepeatedTest(10)
    void units_in_memory_never_conflict() throws SQLException {
        AtomicInteger runs = new AtomicInteger();
        Race.run(8, i -> {
            for (int n = 0; n < 25; n++) {
                String name = i + "-" + n;
                work.run(tx -> {
                    runs.incrementAndGet();
                    assertThat(Items.in(tx.connection())).doesNotContain(name);
                    Items.insert(tx, name);
                });
                work.read(tx -> {
                    runs.incrementAndGet();
                    assertThat(Items.in(tx.connection())).contains(name);
                    return name;
                });
            }
            return i;
        });
        assertThat(runs).hasValue(400);
        assertThat(work.<Integer, SQLException>read(
                        tx -> Items.in(tx.connection()).size()))
                .isEqualTo(200);
    }

    @Test
    void a_queue_timeout_names_the_threads_in_front() throws Exception {
        UnitOfWork impatient = UnitOfWork.builder(URL)
                .cache(cache)
                .queueTimeout(Duration.ofMillis(1))
                .build();
        try (Race race = Race.withThreads(1)) {
            work.run(tx -> {
                for (Future<?> attempt : List.of(
                        race.start(() -> impatient.call(mine -> 1)),
                        race.start(() -> impatient.read(mine -> 1)),
                        race.start(impatient::begin))) {
                    assertThat(race.outcome(attempt).failure())
                            .isInstanceOf(TransactionException.class)
                            .hasMessageContaining("has waited PT0.001S for its turn")
                            .hasMessageContaining(
                                    "thread " + Thread.currentThread().getName() + " is writing");
                }
            });
            work.read(tx -> {
                assertThat(race.outcome(race.start(() -> impatient.call(mine -> 1)))
                                .failure())
                        .hasMessageContaining("is reading");
                return true;
            });
            int result = race.result(race.start(() -> impatient.call(mine -> 1)));
            assertThat(result).isEqualTo(1);
        }
        assertThatThrownBy(() -> UnitOfWork.builder(URL)
                        .queueTimeout(Duration.ofNanos(-1))
                        .build())
                .hasMessageContaining("queueTimeout");
    }

    @Test
    void an_interrupt_ends_the_wait_in_the_queue() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Race race = Race.withThreads(1)) {
            work.run(tx -> {
                AtomicReference<Thread> thread = new AtomicReference<>();
                Future<Boolean> waiting = race.start(() -> {
                    thread.set(Thread.currentThread());
                    assertThatThrownBy(() -> work.run(mine -> {}))
                            .isInstanceOf(TransactionException.class)
                            .hasMessageContaining("Interrupted");
                    interrupted.countDown();
                    return Thread.interrupted();
                });
                ThreadStates.awaitTimedWait(thread);
                thread.get().interrupt();
                assertThat(race.result(waiting)).isTrue();
            });
        }
        work.run(tx -> {});
    }

    @Test
    void units_on_two_databases_do_not_wait_for_each_other() throws SQLException {
        String file = Database.FILE.url(directory);
        try (EngineCache other = Items.cacheWithTable(file);
                Race race = Race.withThreads(1)) {
            UnitOfWork onFile = UnitOfWork.builder(file).cache(other).build();
            work.run(tx -> {
                onFile.run(inner -> Items.insert(inner, "of this thread"));
                race.result(race.start(() -> {
                    onFile.run(inner -> Items.insert(inner, "of another thread"));
                    return true;
                }));
                Items.insert(tx, "a");
            });
            assertThat(onFile.<List<String>, SQLException>read(tx -> Items.in(tx.connection())))
                    .hasSize(2);
        }
    }
}
