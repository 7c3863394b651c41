package dev.oneengine.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may come in, in every order of steps that matters. The model checker fails by itself where threads wait for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsModelTest {
    private static final int SCHEDULES = 100;
    private static final Duration LONG = Duration.ofDays(1);

    /** Whether the slice is always over or never, so that time decides nothing. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void a_writer_is_alone_and_everybody_comes_in(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Turns turns = new Turns(Duration.ofDays(days), 1);
            int[] inside = new int[1];
            run(
                    () -> {
                        write(turns, inside);
                        write(turns, inside);
                    },
                    () -> write(turns, inside));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void readers_and_a_writer(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Turns turns = new Turns(Duration.ofDays(days), 1);
            int[] inside = new int[1];
            run(
                    () -> {
                        turns.enter(false, LONG);
                        if (inside[0] != 0) {
                            throw new IllegalStateException("a reader came in beside a writer");
                        }
                        turns.leave(false);
                    },
                    () -> write(turns, inside));
        });
    }

    private static void write(Turns turns, int[] inside) throws InterruptedException {
        turns.enter(true, LONG);
        inside[0]++;
        if (inside[0] != 1) {
            throw new IllegalStateException("two came in");
        }
        inside[0]--;
        turns.leave(true);
    }

    private interface Task {
        void run() throws InterruptedException;
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
