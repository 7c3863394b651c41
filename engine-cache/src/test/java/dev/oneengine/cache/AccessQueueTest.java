package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.cache.HeldTurns.Turn;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import dev.oneengine.testing.ThreadStates;
import java.lang.reflect.Field;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AccessQueueTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration ALWAYS_OVER = Duration.ZERO;
    private static final Duration NEVER_OVER = Duration.ofHours(1);

    private static AccessQueue queue(Duration slice) {
        return new AccessQueue("jdbc:sqlite::memory:", true, 10, slice);
    }

    private static Turn enter(AccessQueue queue, boolean write, Duration timeout)
            throws SQLException, InterruptedException {
        return queue.enter(write, timeout, () -> false);
    }

    /** A turn that another thread holds. */
    private static Turn turnOf(Race race, AccessQueue queue, boolean write) {
        return race.result(race.start(() -> enter(queue, write, LONG)));
    }

    /** Starts a thread and returns once it waits. */
    private static Future<Boolean> startWaiting(Race race, AccessQueue queue, boolean write, Runnable inside) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<Boolean> future = race.start(() -> {
            thread.set(Thread.currentThread());
            Turn turn = enter(queue, write, LONG);
            inside.run();
            queue.leave(turn);
            return true;
        });
        ThreadStates.awaitTimedWait(thread);
        return future;
    }

    @RepeatedTest(50)
    void after_the_slice_the_first_waiting_thread_enters_next() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, true, LONG);
            Future<Boolean> first = startWaiting(race, queue, true, () -> order.add("first"));
            Future<Boolean> second = startWaiting(race, queue, true, () -> order.add("second"));

            queue.leave(turn);
            Turn again = enter(queue, true, LONG);
            order.add("again");
            queue.leave(again);

            assertThat(race.result(first)).isTrue();
            assertThat(race.result(second)).isTrue();
        }
        assertThat(order).containsExactly("first", "second", "again");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_running_thread_overtakes_sleeping_threads_only_within_the_slice(boolean within) throws Exception {
        AccessQueue queue = queue(within ? NEVER_OVER : ALWAYS_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn reading = turnOf(race, queue, false);
            Future<Boolean> writer = startWaiting(race, queue, true, () -> {});

            Turn mine = enter(queue, false, Duration.ZERO);

            assertThat(mine != null).isEqualTo(within);
            if (mine != null) {
                queue.leave(mine);
            }
            queue.leave(reading);
            assertThat(race.result(writer)).isTrue();
        }
    }

    @RepeatedTest(50)
    void a_woken_thread_enters_an_empty_queue() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(3)) {
            Turn turn = enter(queue, true, LONG);
            List<Future<Boolean>> waiting = List.of(
                    startWaiting(race, queue, true, () -> {}),
                    startWaiting(race, queue, false, () -> {}),
                    startWaiting(race, queue, true, () -> {}));
            queue.leave(turn);
            waiting.forEach(future -> assertThat(race.result(future)).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000})
    void waiting_readers_enter_together(long slice) throws Exception {
        AccessQueue queue = queue(Duration.ofMillis(slice));
        CyclicBarrier together = new CyclicBarrier(3);
        try (Race race = Race.withThreads(3)) {
            Turn turn = enter(queue, true, LONG);
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(startWaiting(race, queue, false, () -> meet(together)));
            }
            queue.leave(turn);
            waiting.forEach(race::result);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readers_do_not_starve_a_writer() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, false, LONG);
            Future<Boolean> writer = startWaiting(race, queue, true, () -> {});
            Future<Boolean> reader = startWaiting(
                    race, queue, false, () -> {}); // waits behind the writer, although another reader is inside
            assertThat(writer).isNotDone();
            queue.leave(turn);
            assertThat(race.result(writer)).isTrue();
            assertThat(race.result(reader)).isTrue();
        }
    }

    @Test
    void the_number_of_concurrent_readers_is_limited() throws Exception {
        AccessQueue queue = new AccessQueue("jdbc:sqlite::memory:", true, 2);
        try (Race race = Race.withThreads(2)) {
            Turn first = turnOf(race, queue, false);
            turnOf(race, queue, false);
            assertThat(enter(queue, false, Duration.ZERO)).isNull();
            queue.leave(first);
            assertThat(enter(queue, false, LONG)).isNotNull();
        }
    }

    @Test
    void a_thread_that_times_out_blocks_no_other_thread() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, false, LONG);
            Turn late = race.result(race.start(() -> {
                Turn none = enter(queue, true, Duration.ofMillis(1));
                assertThat(none).isNull();
                return turn;
            }));
            assertThat(late).isSameAs(turn);
            Turn reader = turnOf(race, queue, false);
            assertThat(queue.timeoutMessage(Duration.ofMillis(1)))
                    .contains("has waited PT0.001S for its turn on jdbc:sqlite::memory:", "is reading");
            queue.leave(reader);
            queue.leave(turn);
        }
    }

    @RepeatedTest(50)
    void a_reader_enters_after_the_writer_ahead_of_it_is_interrupted() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, false, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> enter(queue, true, LONG)).isInstanceOf(InterruptedException.class);
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            thread.get().interrupt();
            assertThat(race.result(writer)).isTrue();
            Turn second = turnOf(race, queue, false);
            queue.leave(second);
            queue.leave(turn);
        }
        assertThat(enter(queue, true, Duration.ZERO)).isNotNull();
    }

    @Test
    void a_waiting_reader_is_woken_when_the_writer_ahead_of_it_is_interrupted() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, false, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> enter(queue, true, LONG)).isInstanceOf(InterruptedException.class);
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            Future<Boolean> reader = startWaiting(race, queue, false, () -> {});
            thread.get().interrupt();
            assertThat(race.result(writer)).isTrue();
            assertThat(race.result(reader)).isTrue();
            queue.leave(turn);
        }
    }

    /** The waiting thread is interrupted, and gets the turn before it can leave the queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_turn_granted_during_an_interrupt_is_not_lost(boolean upgrade) throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        ReentrantLock lock = (ReentrantLock) field(AccessQueue.class, "lock").get(queue);
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicReference<Turn> kept = new AtomicReference<>();
        try (Race race = Race.withThreads(2)) {
            Turn turn = enter(queue, !upgrade, LONG);
            Future<Boolean> waiting = race.start(() -> {
                if (upgrade) {
                    kept.set(enter(queue, false, LONG));
                }
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> {
                            if (upgrade) {
                                queue.upgrade(kept.get(), LONG, () -> false);
                            } else {
                                enter(queue, true, LONG);
                            }
                        })
                        .isInstanceOf(InterruptedException.class);
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            Future<Boolean> reader = startWaiting(race, queue, false, () -> {});
            lock.lock();
            try {
                thread.get().interrupt();
                await().until(lock::hasQueuedThreads);
                queue.leave(turn);
                assertThat(queue.timeoutMessage(LONG)).contains("is writing");
            } finally {
                lock.unlock();
            }
            assertThat(race.result(waiting)).isTrue();
            assertThat(race.result(reader)).isTrue();
        }
        if (upgrade) {
            assertThat(kept.get().isWrite()).isFalse();
            assertThat(enter(queue, true, Duration.ZERO)).isNull();
            queue.leave(kept.get());
        }
        assertThat(enter(queue, true, Duration.ZERO)).isNotNull();
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /**
     * A reader's upgrade overtakes the first waiter and begins a new slice, so the queue must wake the first waiter
     * again.
     */
    @Test
    void a_writer_woken_too_late_is_woken_again_in_the_next_slice() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        ReentrantLock lock = (ReentrantLock) field(AccessQueue.class, "lock").get(queue);
        try (Race race = Race.withThreads(2)) {
            Turn first = enter(queue, false, LONG);
            Future<Boolean> writer = startWaiting(race, queue, true, () -> {});
            Turn second;
            lock.lock();
            try {
                queue.leave(first); // wakes the writer, but two readers enter before it can
                first = enter(queue, false, LONG);
                second = enter(queue, false, LONG);
            } finally {
                lock.unlock();
            }
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> upgrading = race.start(() -> {
                second.use();
                thread.set(Thread.currentThread());
                boolean upgraded = queue.upgrade(second, LONG, () -> false);
                queue.leave(second);
                return upgraded;
            });
            ThreadStates.awaitTimedWait(thread);
            Object slice = field(AccessQueue.class, "slice").get(queue);
            field(TimeSlice.class, "start").set(slice, System.nanoTime() - NEVER_OVER.toNanos());
            queue.leave(first); // admits the upgrading reader, and begins a slice
            assertThat(race.result(upgrading)).isTrue();
            assertThat(race.result(writer)).isTrue();
        }
    }

    @Test
    void a_thread_that_would_wait_for_itself_fails_at_once() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        Turn writing = enter(queue, true, LONG);
        for (boolean write : List.of(true, false)) {
            assertThatThrownBy(() -> enter(queue, write, LONG))
                    .isInstanceOf(SQLNonTransientException.class)
                    .hasMessageContainingAll(
                            Thread.currentThread().getName() + " would wait for ever for itself",
                            write ? "write to jdbc:sqlite::memory:" : "read jdbc:sqlite::memory:",
                            "writing transaction",
                            "tx.dataSource()");
        }
        queue.leave(writing);
        Turn reading = enter(queue, false, LONG);
        assertThatThrownBy(() -> enter(queue, true, LONG)).hasMessageContaining("its own open read");
        queue.leave(reading);
        assertThat(enter(queue, true, LONG)).isNotNull();
    }

    /** If the second read queued behind a waiting writer, its thread would wait for itself. */
    @Test
    void a_reading_thread_may_enter_again_as_a_reader() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        try (Race race = Race.withThreads(1)) {
            Turn first = enter(queue, false, LONG);
            Future<Boolean> writer = startWaiting(race, queue, true, () -> {});
            Turn second = enter(queue, false, LONG);
            assertThat(second).isNotNull().isNotSameAs(first);
            queue.leave(first);
            queue.leave(second);
            assertThat(race.result(writer)).isTrue();
        }
    }

    @Test
    void a_turn_belongs_to_the_thread_that_uses_it() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(1)) {
            Turn turn = enter(queue, true, LONG);
            race.result(race.start(() -> {
                turn.use();
                assertThatThrownBy(() -> enter(queue, true, LONG)).hasMessageContaining("for itself");
                return true;
            }));
            assertThat(enter(queue, true, Duration.ZERO)).isNull();
        }
    }

    @Test
    void a_reader_upgrades_to_a_writer_when_the_other_readers_have_left() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn alone = enter(queue, false, LONG);
            assertThat(queue.upgrade(alone, Duration.ZERO, () -> false)).isTrue();
            assertThat(alone.isWrite()).isTrue();
            queue.leave(alone);

            Turn other = enter(queue, false, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> upgrading = race.start(() -> {
                Turn turn = enter(queue, false, LONG);
                thread.set(Thread.currentThread());
                boolean upgraded = queue.upgrade(turn, LONG, () -> false);
                queue.leave(turn);
                return upgraded;
            });
            ThreadStates.awaitTimedWait(thread);
            Future<Boolean> writer = startWaiting(race, queue, true, () -> {});
            assertThat(queue.upgrade(other, LONG, () -> false))
                    .as("two readers that wait for each other to leave")
                    .isFalse();
            queue.leave(other);
            assertThat(race.result(upgrading)).isTrue();
            assertThat(race.result(writer)).isTrue();
        }
    }

    @Test
    void a_reader_whose_upgrade_times_out_keeps_its_reading_turn() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(1)) {
            Turn other = turnOf(race, queue, false);
            Turn mine = enter(queue, false, LONG);
            assertThat(queue.upgrade(mine, Duration.ZERO, () -> false)).isFalse();
            assertThat(mine.isWrite()).isFalse();
            queue.leave(other);
            assertThat(queue.upgrade(mine, Duration.ZERO, () -> false)).isTrue();
        }
    }

    @Test
    void a_thread_with_two_reading_turns_cannot_upgrade() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        Turn first = enter(queue, false, LONG);
        Turn second = enter(queue, false, LONG);
        assertThatThrownBy(() -> queue.upgrade(first, LONG, () -> false)).hasMessageContaining("for itself");
        queue.leave(second);
        assertThat(queue.upgrade(first, LONG, () -> false)).isTrue();
    }

    @Test
    void wake_all_ends_an_abandoned_wait() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        AtomicBoolean givenUp = new AtomicBoolean();
        try (Race race = Race.withThreads(1)) {
            Turn turn = enter(queue, true, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                return queue.enter(true, LONG, givenUp::get) == null;
            });
            ThreadStates.awaitTimedWait(thread);
            givenUp.set(true);
            queue.wakeAll();
            assertThat(race.result(waiting)).isTrue();
            queue.leave(turn);
        }
    }

    @Test
    void the_longest_possible_timeout_is_accepted() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(1)) {
            turnOf(race, queue, true);
            assertThat(queue.enter(true, Duration.ofSeconds(Long.MAX_VALUE), () -> true))
                    .isNull();
        }
    }

    /** Simulates a stack overflow during the search for a deadlock. */
    @Test
    void a_wait_that_cannot_be_registered_blocks_no_thread() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        AtomicBoolean fails = new AtomicBoolean();
        ConnectionDeadlocks.Resource failing = new ConnectionDeadlocks.Resource() {
            @Override
            public List<Thread> holders() {
                if (fails.get()) {
                    throw new StackOverflowError("for the test");
                }
                return List.of();
            }

            @Override
            public boolean isAnyEnough() {
                return true;
            }
        };
        try (Race race = Race.withThreads(1)) {
            Turn turn = turnOf(race, queue, true);
            assertThat(race.result(race.start(() -> ConnectionDeadlocks.register(failing))))
                    .isTrue();
            AccessQueue another = queue(NEVER_OVER);
            Turn mine = enter(another, true, Duration.ZERO);
            fails.set(true);
            assertThatThrownBy(() -> enter(queue, true, LONG)).isInstanceOf(StackOverflowError.class);
            fails.set(false);
            race.result(race.start(() -> {
                ConnectionDeadlocks.unregister();
                return true;
            }));
            another.leave(mine);
            queue.leave(turn);
        }
        assertThat(enter(queue, true, Duration.ZERO)).isNotNull();
    }

    @Test
    void closing_ends_every_wait() throws Exception {
        AccessQueue queue = queue(NEVER_OVER);
        try (Race race = Race.withThreads(3)) {
            Turn turn = enter(queue, false, LONG);
            Turn other = turnOf(race, queue, false);
            List<Future<Boolean>> waiting =
                    List.of(startWaiting(race, queue, true, () -> {}), startWaiting(race, queue, true, () -> {}));
            queue.close();
            for (Future<Boolean> future : waiting) {
                assertThat(race.outcome(future).failure())
                        .isInstanceOf(SQLException.class)
                        .hasMessage("The engine for jdbc:sqlite::memory: was closed");
            }
            assertThatThrownBy(() -> enter(queue, false, LONG)).hasMessageContaining("was closed");
            assertThatThrownBy(() -> queue.upgrade(turn, LONG, () -> false)).hasMessageContaining("was closed");
            queue.leave(turn);
            queue.leave(other);
        }
    }

    /** The waiting thread itself closes the queue and gives the turn back, so it cannot wake up between these steps. */
    @Test
    void a_turn_returned_after_the_close_admits_no_thread() throws Exception {
        AccessQueue queue = queue(ALWAYS_OVER);
        try (Race race = Race.withThreads(1)) {
            Turn turn = turnOf(race, queue, true);
            AtomicBoolean done = new AtomicBoolean();
            assertThatThrownBy(() -> queue.enter(true, Duration.ofMillis(100), () -> {
                        if (done.compareAndSet(false, true)) {
                            queue.close();
                            queue.leave(turn);
                        }
                        return false;
                    }))
                    .hasMessageContaining("was closed");
        }
    }

    /** Each thread has the turn that the next one waits for; the thread that waits last detects the deadlock. */
    @RepeatedTest(50)
    void a_deadlock_of_queues_is_detected_by_its_last_thread() throws Exception {
        List<AccessQueue> queues = List.of(queue(ALWAYS_OVER), queue(ALWAYS_OVER), queue(ALWAYS_OVER));
        CyclicBarrier allHold = new CyclicBarrier(3);
        List<Outcome<String>> outcomes = Race.outcomes(3, i -> {
            Turn mine = enter(queues.get(i), true, LONG);
            try {
                meet(allHold);
                AccessQueue next = queues.get((i + 1) % 3);
                next.leave(enter(next, true, LONG));
                return "done";
            } finally {
                queues.get(i).leave(mine);
            }
        });
        assertThat(outcomes.stream().filter(outcome -> outcome.failure() == null))
                .hasSize(2);
        assertThat(outcomes.stream().filter(outcome -> outcome.failure() != null))
                .singleElement()
                .satisfies(outcome ->
                        assertThat(outcome.failure()).hasMessageContaining("in a deadlock, each thread holds"));
        for (AccessQueue queue : queues) {
            assertThat(enter(queue, true, Duration.ZERO)).isNotNull();
        }
    }

    /** A reader that waits because the number of readers is limited needs only one of them to leave. */
    @Test
    void a_reader_of_a_full_queue_is_not_deadlocked_while_one_other_reader_can_leave() throws Exception {
        AccessQueue shared = new AccessQueue("shared", true, 2, NEVER_OVER);
        AccessQueue other = queue(NEVER_OVER);
        try (Race race = Race.withThreads(2)) {
            Turn mine = enter(other, true, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> stuck = race.start(() -> {
                Turn reading = enter(shared, false, LONG);
                thread.set(Thread.currentThread());
                other.leave(enter(other, true, LONG)); // waits for this thread
                shared.leave(reading);
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            CyclicBarrier held = new CyclicBarrier(2);
            AtomicReference<Thread> main = new AtomicReference<>(Thread.currentThread());
            Future<Boolean> free = race.start(() -> {
                Turn reading = enter(shared, false, LONG);
                meet(held);
                ThreadStates.awaitTimedWait(main);
                shared.leave(reading);
                return true;
            });
            meet(held);
            Turn reading = enter(shared, false, LONG);
            assertThat(reading).isNotNull();
            shared.leave(reading);
            other.leave(mine);
            assertThat(race.result(free)).isTrue();
            assertThat(race.result(stuck)).isTrue();
        }
    }

    /**
     * Threads that take two turns always take them in the same order. That is never a deadlock, whatever changes during
     * the search.
     */
    @Tag("slow")
    @Test
    void threads_without_a_deadlock_are_never_rejected() {
        AccessQueue shared = queue(ALWAYS_OVER);
        List<Integer> done = Race.run(8, i -> {
            AccessQueue own = queue(NEVER_OVER);
            Turn mine = enter(own, true, LONG);
            for (int n = 0; n < 10_000; n++) {
                shared.leave(enter(shared, n % 7 != 0, LONG));
            }
            own.leave(mine);
            return i;
        });
        assertThat(done).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 50_000, 1_000_000, 5_000_000})
    void random_writers_exclude_all_others_and_every_thread_enters(long slice) {
        AccessQueue queue = new AccessQueue("jdbc:sqlite::memory:", true, 3, Duration.ofNanos(slice));
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger readers = new AtomicInteger();
        int[] writes = new int[1]; // guarded by the turns
        Race.run(8, i -> {
            Random random = new Random(i);
            for (int n = 0; n < 2_000; n++) {
                boolean write = random.nextInt(3) > 0;
                Turn turn = null;
                while (turn == null) {
                    turn = enter(queue, write, random.nextInt(50) == 0 ? Duration.ofNanos(1) : LONG);
                }
                if (!write) {
                    readers.incrementAndGet();
                    assertThat(writers).hasValue(0);
                    readers.decrementAndGet();
                    write = random.nextInt(4) == 0 && queue.upgrade(turn, LONG, () -> false);
                }
                if (write) {
                    assertThat(writers.incrementAndGet()).isEqualTo(1);
                    assertThat(readers).hasValue(0);
                    writes[0]++;
                    writers.decrementAndGet();
                }
                queue.leave(turn);
            }
            return i;
        });
        assertThat(writes[0]).isPositive();
        assertThat(queue.timeoutMessage(LONG)).contains("the database is free again");
    }
}
