package dev.oneengine.cache;

import static dev.oneengine.cache.Tasks.run;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the queue in every relevant order of steps. The model checker itself reports threads that wait for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessQueueModelTest {
    private static final int SCHEDULES = 100;
    private static final Duration LONG = Duration.ofDays(1);

    private static AccessQueue queue(long days) {
        return new AccessQueue("jdbc:sqlite::memory:", true, 2, Duration.ofDays(days));
    }

    /** Makes the slice always over or never over, so that no outcome depends on time. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void a_writer_excludes_all_others_and_every_thread_enters(long days) {
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
    void readers_exclude_a_writer_and_every_thread_enters(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue(days);
            int[] inside = new int[1];
            run(
                    () -> {
                        HeldTurns.Turn turn = enter(queue, false);
                        if (inside[0] != 0) {
                            throw new IllegalStateException("a reader entered beside a writer");
                        }
                        queue.leave(turn);
                    },
                    () -> write(queue, inside));
        });
    }

    /** Two readers both need to write: one of them must give way, and the other one then writes alone. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void one_of_two_readers_that_both_need_to_write_gives_way(long days) {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue(days);
            int[] inside = new int[1];
            run(() -> readAndPerhapsWrite(queue, inside), () -> readAndPerhapsWrite(queue, inside));
            run(() -> enter(queue, true));
        });
    }

    /**
     * Each thread holds the turn that the other one waits for. The thread that waits last fails, and both turns are
     * free in the end.
     */
    @Test
    void a_deadlock_of_two_queues_fails_one_thread() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue first = queue(100);
            AccessQueue second = queue(100);
            run(() -> hold(first, second), () -> hold(second, first));
            run(() -> enter(first, true), () -> enter(second, true));
        });
    }

    /**
     * A turn may pass to another thread while the detector searches for a deadlock. It must not report one that does
     * not exist.
     */
    @Test
    void threads_without_a_deadlock_are_never_rejected() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue shared = queue(0);
            run(() -> use(shared), () -> use(shared), () -> use(shared));
        });
    }

    private static void use(AccessQueue shared) throws SQLException, InterruptedException {
        AccessQueue own = queue(0);
        HeldTurns.Turn mine = enter(own, true);
        shared.leave(enter(shared, true));
        own.leave(mine);
    }

    private static void hold(AccessQueue outer, AccessQueue inner) throws SQLException, InterruptedException {
        HeldTurns.Turn turn = enter(outer, true);
        try {
            inner.leave(enter(inner, true));
        } catch (SQLNonTransientException e) {
            if (!String.valueOf(e.getMessage()).contains("in a deadlock, each thread")) {
                throw e;
            }
        } finally {
            outer.leave(turn);
        }
    }

    private static void readAndPerhapsWrite(AccessQueue queue, int[] inside) throws SQLException, InterruptedException {
        HeldTurns.Turn turn = enter(queue, false);
        if (queue.upgrade(turn, LONG, () -> false)) {
            count(inside);
        }
        queue.leave(turn);
    }

    private static HeldTurns.Turn enter(AccessQueue queue, boolean write) throws SQLException, InterruptedException {
        return Objects.requireNonNull(queue.enter(write, LONG, () -> false), "a turn was lost");
    }

    private static void write(AccessQueue queue, int[] inside) throws SQLException, InterruptedException {
        HeldTurns.Turn turn = enter(queue, true);
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
}
