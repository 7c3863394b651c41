package dev.oneengine.cache;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for each other's single flights. The model checker itself reports threads that wait for ever. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SingleFlightModelTest {
    private static final int SCHEDULES = 200;

    @Test
    void a_deadlock_of_two_flights_fails_only_one_thread() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Pilot one = new Pilot();
            Pilot two = new Pilot();
            Threads.run(() -> one.needs(two), () -> two.needs(one));
            if (one.rejected && two.rejected) {
                throw new IllegalStateException("both threads were rejected, but rejecting one is enough");
            }
        });
    }

    /** A thread may still be registered as waiting after its wait has ended, because it has not woken up yet. */
    @Test
    void a_thread_whose_wait_has_ended_causes_no_deadlock() {
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
    void a_waiting_thread_sees_the_failure_of_the_flight() {
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

    /** A thread with a single flight. Other threads can find the flight after its begin. */
    private static final class Pilot {
        private volatile @Nullable SingleFlight<Boolean> flight;
        private volatile boolean rejected;

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
            rejected = mine.failure() instanceof EngineException;
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
