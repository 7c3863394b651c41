package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Race;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionDeadlocksTest {
    private record Held(boolean isAnyEnough, List<Thread> holders) implements ConnectionDeadlocks.Resource {
        static Held by(Thread... holders) {
            return new Held(false, List.of(holders));
        }
    }

    private final Thread me = Thread.currentThread();

    /** The turns and connections that this thread still holds from earlier tests. */
    private int before;

    @BeforeEach
    void hideWhatIsHeld() {
        before = ConnectionDeadlocks.heldByThisThread().getAndSet(0);
    }

    @AfterEach
    void end() {
        ConnectionDeadlocks.unregister();
        ConnectionDeadlocks.heldByThisThread().set(before);
    }

    @Test
    void a_thread_that_returned_every_turn_holds_nothing() {
        assertThat(ConnectionDeadlocks.isHolding()).isFalse();
        ConnectionDeadlocks.heldByThisThread().incrementAndGet();
        assertThat(ConnectionDeadlocks.isHolding()).isTrue();
        ConnectionDeadlocks.heldByThisThread().decrementAndGet();
        assertThat(ConnectionDeadlocks.isHolding()).isFalse();
    }

    @Test
    void a_turn_counts_as_held_until_it_is_returned() throws Exception {
        AccessQueue queue = new AccessQueue("jdbc:sqlite::memory:", true, 10);
        HeldTurns.Turn first = queue.enter(false, Duration.ZERO, () -> false);
        HeldTurns.Turn second = queue.enter(false, Duration.ZERO, () -> false);
        assertThat(ConnectionDeadlocks.heldByThisThread()).hasValue(2);
        queue.leave(second);
        assertThat(queue.upgrade(first, Duration.ZERO, () -> false)).isTrue();
        assertThat(ConnectionDeadlocks.heldByThisThread()).hasValue(1);
        queue.leave(first);
        assertThat(ConnectionDeadlocks.heldByThisThread()).hasValue(0);
    }

    @Test
    void a_rejected_wait_is_not_registered() {
        assertThat(ConnectionDeadlocks.register(Held.by(me))).isFalse();

        assertThat(ConnectionDeadlocks.register(Held.by(new Thread()))).isTrue();
    }

    @Test
    void ending_a_wait_does_not_end_the_wait_of_another_thread() {
        Thread other;
        try (Race race = Race.withThreads(1)) {
            other = race.result(race.start(() -> {
                assertThat(ConnectionDeadlocks.register(Held.by(me))).isTrue();
                return Thread.currentThread();
            }));
            assertThat(ConnectionDeadlocks.register(Held.by(new Thread()))).isTrue();
            ConnectionDeadlocks.unregister();

            assertThat(ConnectionDeadlocks.register(Held.by(other))).isFalse();

            race.result(race.start(() -> {
                ConnectionDeadlocks.unregister();
                return true;
            }));
        }
        assertThat(ConnectionDeadlocks.register(Held.by(other))).isTrue();
    }

    @Test
    void a_running_holder_prevents_a_deadlock_only_if_one_holder_is_enough() {
        List<Thread> holders = List.of(me, new Thread());
        assertThat(ConnectionDeadlocks.register(new Held(true, holders))).isTrue();
        ConnectionDeadlocks.unregister();
        assertThat(ConnectionDeadlocks.register(new Held(false, holders))).isFalse();
        assertThat(ConnectionDeadlocks.register(new Held(true, List.of(me)))).isFalse();
        assertThat(ConnectionDeadlocks.register(new Held(true, List.of()))).isTrue();
    }
}
