package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.ThreadStates;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTurnTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AccessQueue queue = new AccessQueue("jdbc:sqlite::memory:", true, 10);

    private Future<Boolean> startWaiting(Race race, ConnectionTurn turn) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<Boolean> waiting = race.start(() -> {
            thread.set(Thread.currentThread());
            turn.enter(true, LONG);
            return true;
        });
        ThreadStates.awaitTimedWait(thread);
        return waiting;
    }

    /** A pool may lend a connection again while the previous user still waits for a turn. */
    @Test
    void a_late_turn_is_returned_if_the_connection_already_has_a_lent_one() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        HeldTurns.Turn first = queue.enter(true, LONG, () -> false);
        try (Race race = Race.withThreads(1)) {
            Future<Boolean> waiting = startWaiting(race, turn);
            turn.lend(first);
            queue.leave(first);
            assertThat(race.outcome(waiting).failure())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Two threads use a connection to jdbc:sqlite::memory:");
        }
        assertThat(turn.isForWriting()).isTrue();
        turn.returnLent();
        turn.returnLent();
        assertThat(turn.isHeld()).isFalse();
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNotNull();
    }

    @Test
    void the_second_of_two_upgrading_readers_fails_at_once() throws Exception {
        ConnectionTurn first = new ConnectionTurn(queue);
        ConnectionTurn second = new ConnectionTurn(queue);
        first.enter(false, LONG);
        try (Race race = Race.withThreads(1)) {
            race.result(race.start(() -> {
                second.enter(false, LONG);
                return true;
            }));
            Future<Boolean> waiting = startWaiting(race, second);
            assertThatThrownBy(() -> first.enter(true, LONG)).hasMessageContaining("also reads and waits to write");
            assertThat(first.isForWriting()).isFalse();
            first.leave();
            assertThat(race.result(waiting)).isTrue();
            assertThat(second.isForWriting()).isTrue();
        }
    }

    @Test
    void a_connection_has_one_turn_at_a_time() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        turn.enter(false, LONG);
        HeldTurns.Turn second = queue.enter(false, LONG, () -> false);
        assertThatThrownBy(() -> turn.lend(second)).hasMessageContaining("has a turn already");
        turn.leave();
        queue.leave(second);
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNotNull();
    }

    @Test
    void ending_a_connection_ends_its_wait_for_a_turn() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        HeldTurns.Turn first = queue.enter(true, LONG, () -> false);
        try (Race race = Race.withThreads(1)) {
            Future<Boolean> waiting = startWaiting(race, turn);
            turn.end();
            assertThat(race.outcome(waiting).failure())
                    .isInstanceOf(SQLException.class)
                    .hasMessage("The connection to jdbc:sqlite::memory: was closed");
        }
        assertThatThrownBy(turn::use).hasMessageContaining("was closed");
        queue.leave(first);
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNotNull();
    }

    @Test
    void a_connection_returns_its_own_turn_after_a_lent_one() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        HeldTurns.Turn lent = queue.enter(true, LONG, () -> false);
        turn.lend(lent);
        turn.takeBack(lent);
        queue.leave(lent);

        turn.enter(true, Duration.ZERO);
        turn.leave();
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNotNull();
    }

    @Test
    void a_turn_granted_after_the_end_of_its_connection_is_returned() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        turn.end();
        assertThatThrownBy(() -> turn.enter(true, LONG)).hasMessageContaining("was closed");
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNotNull();
    }

    @Test
    void a_turn_belongs_to_the_thread_that_uses_it_last() throws Exception {
        ConnectionTurn turn = new ConnectionTurn(queue);
        try (Race race = Race.withThreads(1)) {
            race.result(race.start(() -> {
                turn.enter(true, LONG);
                return true;
            }));
        }
        assertThat(queue.enter(true, Duration.ZERO, () -> false)).isNull();
        turn.use();
        assertThatThrownBy(() -> queue.enter(true, LONG, () -> false)).hasMessageContaining("would wait for ever");
    }
}
