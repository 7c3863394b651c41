package dev.oneengine.cache;

import static dev.oneengine.cache.Tasks.run;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One thread uses the turn of a connection while another thread ends the connection, in every relevant order of steps.
 * The turn is free afterwards, and no thread waits for ever. The steps are those of {@link StatementRunner}, {@link SqliteTransaction} and
 * {@link SqliteConnection}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTurnModelTest {
    private static final int SCHEDULES = 100;
    private static final Duration LONG = Duration.ofDays(1);

    private static AccessQueue queue() {
        return new AccessQueue("jdbc:sqlite::memory:", true, 2, Duration.ofDays(100));
    }

    /** The steps of a begin, a statement, a commit or a rollback. */
    private static void transaction(ConnectionTurn turn, boolean[] inside) throws SQLException {
        turn.use();
        turn.enter(true, LONG);
        if (inside[0]) {
            throw new IllegalStateException("two write");
        }
        inside[0] = true;
        inside[0] = false;
        turn.leave();
    }

    /** The steps of an abort or a close, after the running statement has ended. */
    private static void close(ConnectionTurn turn) {
        turn.end();
        turn.leave();
    }

    @Test
    void closing_a_connection_during_a_transaction_frees_the_turn() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue();
            ConnectionTurn turn = new ConnectionTurn(queue);
            run(() -> use(turn, false), () -> close(turn));
            requireFree(queue);
        });
    }

    @Test
    void closing_a_waiting_connection_blocks_no_other_connection() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue();
            ConnectionTurn first = new ConnectionTurn(queue);
            ConnectionTurn second = new ConnectionTurn(queue);
            run(() -> use(first, true), () -> use(second, false), () -> close(second));
            requireFree(queue);
        });
    }

    @Test
    void closing_a_connection_in_two_threads_frees_the_turn_once() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue();
            ConnectionTurn turn = new ConnectionTurn(queue);
            run(() -> turn.enter(true, LONG));
            run(() -> close(turn), () -> close(turn));
            requireFree(queue);
        });
    }

    @Test
    void a_lent_turn_is_returned_only_by_its_owner() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            AccessQueue queue = queue();
            ConnectionTurn turn = new ConnectionTurn(queue);
            HeldTurns.Turn[] owned = new HeldTurns.Turn[1];
            run(() -> {
                owned[0] = queue.enter(true, LONG, () -> false);
                turn.lend(owned[0]);
            });
            run(() -> close(turn), () -> {
                turn.takeBack(owned[0]);
                queue.leave(owned[0]);
            });
            requireFree(queue);
        });
    }

    /** The transaction may fail only because its connection has ended. */
    private static void use(ConnectionTurn turn, boolean forSure) throws SQLException {
        try {
            transaction(turn, new boolean[1]);
        } catch (SQLException e) {
            if (forSure || !turn.isEnded()) {
                throw e;
            }
        }
    }

    private static void requireFree(AccessQueue queue) {
        run(() -> {
            if (queue.enter(true, Duration.ZERO, () -> false) == null) {
                throw new IllegalStateException("a turn was lost");
            }
        });
    }
}
