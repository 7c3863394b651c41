package dev.oneengine.cache;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for each other's flights. The model checker fails by itself where threads wait for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SingleFlightModelTest {
    private static final int SCHEDULES = 200;

    @Test
    void a_ring_of_waiting_threads_is_broken_and_not_more_than_that() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Pilot one = new Pilot();
            Pilot two = new Pilot();
            Threads.run(() -> one.needs(two), () -> two.needs(one));
            if (one.refused && two.refused) {
                throw new IllegalStateException("both were refused, and one would have been enough");
            }
        });
    }

    /** A thread whose flight has ended may still be registered as waiting, because it has not woken yet. */
    @Test
    void a_thread_whose_wait_is_over_is_in_nobodys_way() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Pilot one = new Pilot();
            Pilot two = new Pilot();
            Threads.run(
                    () -> {
                        one.fly(() -> {});
                        two.await();
                    },
                    () -> two.fly(one::await));
        });
    }

    @Test
    void who_has_waited_knows_how_it_ended() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            SingleFlight<Boolean> flight = new SingleFlight<>("a flight");
            Exception failure = new IllegalStateException("the failure");
            Threads.run(() -> failing(flight, failure), () -> {
                flight.await();
                if (flight.failure() != failure) {
                    throw new IllegalStateException("the flight had ended, but its failure was not visible");
                }
            });
        });
    }

    private static void failing(SingleFlight<Boolean> flight, Exception failure) {
        flight.run(
                () -> true,
                () -> {
                    throw failure;
                },
                () -> {});
    }

    /** A thread with a flight that other threads can find once it has begun. */
    private static final class Pilot {
        private volatile @Nullable SingleFlight<Boolean> flight;
        private volatile boolean refused;

        void fly(Runnable work) {
            SingleFlight<Boolean> mine = new SingleFlight<>("a flight");
            mine.run(
                    () -> {
                        flight = mine;
                        return true;
                    },
                    () -> {
                        work.run();
                        return true;
                    },
                    () -> {});
            refused = mine.failure() instanceof EngineException;
        }

        void await() {
            SingleFlight<Boolean> begun = flight;
            if (begun != null) {
                begun.await();
            }
        }

        void needs(Pilot other) {
            fly(other::await);
        }
    }
}
