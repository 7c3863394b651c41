package dev.oneengine.cache;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue in every order of steps that matters. The model checker fails by itself where threads wait for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessQueueModelTest {
    private static final int SCHEDULES = 100;
    private static final Duration LONG = Duration.ofDays(1);

    private static AccessQueue queue(long days) {
        return new AccessQueue("jdbc:sqlite::memory:", true, 2, Duration.ofDays(days));
    }

    /** Whether the slice is always over or never, so that time decides nothing. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void a_writer_is_alone_and_every_thread_enters(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue(days);
            int[] inside = new int[1];
            run(
                    () -> {
                        write(queue, inside);
                        write(queue, inside);
                    },
                    () -> write(queue, inside));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void readers_and_a_writer(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue(days);
            int[] inside = new int[1];
            run(
                    () -> {
                        AccessQueue.Turn turn = enter(queue, false);
                        if (inside[0] != 0) {
                            throw new IllegalStateException("a reader entered beside a writer");
                        }
                        queue.leave(turn);
                    },
                    () -> write(queue, inside));
        });
    }

    /** Two readers that both want to write: one of them must give way, and the other then writes alone. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void a_reader_that_becomes_a_writer(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue(days);
            int[] inside = new int[1];
            Task reader = () -> {
                AccessQueue.Turn turn = enter(queue, false);
                if (queue.upgrade(turn, LONG, () -> false)) {
                    count(inside);
                }
                queue.leave(turn);
            };
            run(reader, reader);
            if (enter(queue, true) == null) {
                throw new IllegalStateException("a turn was lost");
            }
        });
    }

    private static AccessQueue.@Nullable Turn enter(AccessQueue queue, boolean write)
            throws SQLException, InterruptedException {
        return queue.enter(write, LONG, () -> false);
    }

    private static void write(AccessQueue queue, int[] inside) throws SQLException, InterruptedException {
        AccessQueue.Turn turn = enter(queue, true);
        count(inside);
        queue.leave(turn);
    }

    private static void count(int[] inside) {
        inside[0]++;
        if (inside[0] != 1) {
            throw new IllegalStateException("two entered");
        }
        inside[0]--;
    }

    private interface Task {
        void run() throws SQLException, InterruptedException;
    }

    private static void run(Task... tasks) {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Task task : tasks) {
            threads.add(new Thread(() -> {
                try {
                    task.run();
                } catch (Throwable t) {
                    failures.add(t);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.get(0));
        }
    }
}
