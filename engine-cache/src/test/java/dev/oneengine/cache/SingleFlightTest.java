package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SingleFlightTest {
    @Test
    void a_failed_flight_is_removed_before_it_ends() {
        SingleFlight<String> flight = new SingleFlight<>("work");
        assertThat(flight.isMine()).isTrue();
        AtomicReference<Boolean> endedBefore = new AtomicReference<>();

        boolean entered = flight.run(
                () -> true,
                () -> {
                    throw new IllegalStateException("failed");
                },
                () -> endedBefore.set(flight.hasEnded()));

        assertThat(entered).isTrue();
        assertThat(endedBefore).hasValue(false);
        assertThat(flight.hasEnded()).isTrue();
        assertThat(flight.failure()).hasMessage("failed");
        assertThat(flight.isMine()).isFalse(); // an ended flight does not retain its thread
    }

    @Test
    void an_interrupted_wait_is_not_part_of_a_deadlock() throws Exception {
        SingleFlight<String> mine = new SingleFlight<>("mine");
        try (Race race = Race.withThreads(1)) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Throwable> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                try {
                    mine.await();
                    return new AssertionError("not interrupted");
                } catch (EngineException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    return e;
                }
            });
            await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);
            thread.get().interrupt();
            assertThat(race.result(waiting)).hasMessageContaining("Interrupted");

            SingleFlight<String> other = race.result(race.start(() -> new SingleFlight<>("other")));
            Thread me = Thread.currentThread();
            Future<Boolean> running = race.start(() -> {
                await().until(() -> me.getState() == Thread.State.WAITING);
                return other.run(() -> true, () -> "done", () -> {});
            });
            other.await(); // no deadlock, because the other thread no longer waits
            assertThat(other.result()).isEqualTo("done");
            assertThat(race.result(running)).isTrue();
        }
    }
}
