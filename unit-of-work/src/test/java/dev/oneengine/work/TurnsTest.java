package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TurnsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Starts a thread and returns once it waits. */
    private static Future<Boolean> startWaiting(Race race, Turns turns, boolean write, Runnable inside) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<Boolean> future = race.start(() -> {
            thread.set(Thread.currentThread());
            boolean entered = turns.enter(write, LONG);
            inside.run();
            turns.leave(write);
            return entered;
        });
        Waiting.awaitThat(thread);
        return future;
    }

    @RepeatedTest(50)
    void once_the_slice_is_over_the_first_in_the_queue_is_next_whoever_else_comes() throws InterruptedException {
        Turns turns = new Turns(Duration.ZERO, 10);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (Race race = Race.withThreads(2)) {
            turns.enter(true, LONG);
            Future<Boolean> first = startWaiting(race, turns, true, () -> order.add("first"));
            Future<Boolean> second = startWaiting(race, turns, true, () -> order.add("second"));

            turns.leave(true);
            turns.enter(true, LONG);
            order.add("again");
            turns.leave(true);

            assertThat(race.result(first)).isTrue();
            assertThat(race.result(second)).isTrue();
        }
        assertThat(order).containsExactly("first", "second", "again");
    }

    @Test
    void while_the_slice_lasts_a_running_thread_may_come_in_before_those_that_sleep() throws InterruptedException {
        for (Duration slice : List.of(Duration.ofHours(1), Duration.ZERO)) {
            Turns turns = new Turns(slice, 10);
            try (Race race = Race.withThreads(1)) {
                turns.enter(false, LONG);
                Future<Boolean> writer = startWaiting(race, turns, true, () -> {});
                boolean entered = turns.enter(false, Duration.ZERO);
                assertThat(entered).isEqualTo(!slice.isZero());
                if (entered) {
                    turns.leave(false);
                }
                turns.leave(false);
                assertThat(race.result(writer)).isTrue();
            }
        }
    }

    @RepeatedTest(50)
    void a_waiting_thread_comes_in_when_it_is_woken_and_nobody_else_is_there() throws InterruptedException {
        Turns turns = new Turns(Duration.ofHours(1), 10);
        try (Race race = Race.withThreads(3)) {
            turns.enter(true, LONG);
            List<Future<Boolean>> waiting = List.of(
                    startWaiting(race, turns, true, () -> {}),
                    startWaiting(race, turns, false, () -> {}),
                    startWaiting(race, turns, true, () -> {}));
            turns.leave(true);
            waiting.forEach(future -> assertThat(race.result(future)).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000})
    void readers_that_wait_come_in_together(long slice) throws InterruptedException {
        Turns turns = new Turns(Duration.ofMillis(slice), 10);
        CyclicBarrier together = new CyclicBarrier(3);
        Runnable meet = () -> {
            try {
                together.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
        try (Race race = Race.withThreads(3)) {
            turns.enter(true, LONG);
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(startWaiting(race, turns, false, meet));
            }
            turns.leave(true);
            waiting.forEach(race::result);
        }
    }

    @Test
    void readers_do_not_keep_a_writer_out_for_ever() throws InterruptedException {
        Turns turns = new Turns(Duration.ZERO, 10);
        try (Race race = Race.withThreads(2)) {
            turns.enter(false, LONG);
            Future<Boolean> writer = startWaiting(race, turns, true, () -> {});
            Future<Boolean> reader = startWaiting(race, turns, false, () -> {}); // although others are reading
            assertThat(writer).isNotDone();
            turns.leave(false);
            assertThat(race.result(writer)).isTrue();
            assertThat(race.result(reader)).isTrue();
        }
    }

    @Test
    void who_loses_patience_is_not_in_the_way_of_the_others() throws InterruptedException {
        Turns turns = new Turns(Duration.ZERO, 10);
        try (Race race = Race.withThreads(2)) {
            turns.enter(false, LONG);
            Future<Boolean> writer = race.start(() -> turns.enter(true, Duration.ofMillis(1)));
            assertThat(race.result(writer)).isFalse();
            assertThat(race.result(race.start(() -> turns.enter(false, Duration.ZERO))))
                    .isTrue();
            turns.leave(false);
            turns.leave(false);
        }
    }

    @RepeatedTest(50)
    void a_reader_behind_a_writer_that_gives_up_comes_in() throws InterruptedException {
        Turns turns = new Turns(Duration.ofHours(1), 10);
        try (Race race = Race.withThreads(2)) {
            turns.enter(false, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> turns.enter(true, LONG)).isInstanceOf(InterruptedException.class);
                return true;
            });
            Waiting.awaitThat(thread);
            turns.enter(true, Duration.ZERO);
            thread.get().interrupt();
            assertThat(race.result(writer)).isTrue();
            assertThat(turns.enter(false, LONG)).isTrue();
            turns.leave(false);
            turns.leave(false);
        }
        assertThat(turns.enter(true, Duration.ZERO)).isTrue();
    }

    /** The thread is interrupted, and before it can go it is given the turn. */
    @Test
    void a_turn_that_comes_together_with_an_interrupt_is_not_lost() throws Exception {
        Turns turns = new Turns(Duration.ZERO, 10);
        Field field = Turns.class.getDeclaredField("lock");
        field.setAccessible(true);
        ReentrantLock lock = (ReentrantLock) field.get(turns);
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Race race = Race.withThreads(1)) {
            turns.enter(true, LONG);
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> turns.enter(true, LONG)).isInstanceOf(InterruptedException.class);
                return true;
            });
            Waiting.awaitThat(thread);
            lock.lock();
            try {
                thread.get().interrupt();
                await().until(lock::hasQueuedThreads);
                turns.leave(true);
                assertThat(turns.writer()).isSameAs(thread.get());
            } finally {
                lock.unlock();
            }
            assertThat(race.result(waiting)).isTrue();
        }
        assertThat(turns.enter(true, Duration.ZERO)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 50_000, 1_000_000, 5_000_000})
    void writers_are_alone_and_all_come_in(long slice) {
        Turns turns = new Turns(Duration.ofNanos(slice), 3);
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger readers = new AtomicInteger();
        int[] writes = new int[1]; // guarded by the turns
        int threads = 8;
        int rounds = 2_000;
        Race.run(threads, i -> {
            Random random = new Random(i);
            for (int n = 0; n < rounds; n++) {
                boolean write = random.nextInt(3) > 0;
                while (!turns.enter(write, random.nextInt(50) == 0 ? Duration.ofNanos(1) : LONG)) {
                    Thread.onSpinWait();
                }
                if (write) {
                    assertThat(writers.incrementAndGet()).isEqualTo(1);
                    assertThat(readers).hasValue(0);
                    writes[0]++;
                    writers.decrementAndGet();
                } else {
                    readers.incrementAndGet();
                    assertThat(writers).hasValue(0);
                    readers.decrementAndGet();
                }
                turns.leave(write);
            }
            return i;
        });
        assertThat(writes[0]).isPositive();
        assertThat(turns.writer()).isNull();
    }
}
