package dev.oneengine.cache;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;

/**
 * The turn of one connection in the queue of its engine. One thread uses the connection, and another thread may close it at any time.
 * Whatever the order of their steps, the turn is given back once.
 *
 * <p>Confined to the thread that uses the connection, except {@link #cancelWait}, {@link #end}, {@link #isEnded}, {@link #lend},
 * {@link #takeBack} and {@link #leave}.
 */
final class ConnectionTurn {
    /** The SQL state of "connection does not exist". */
    private static final String NO_CONNECTION = "08003";

    private final AccessQueue queue;
    private final AtomicReference<HeldTurns.@Nullable Turn> turn = new AtomicReference<>();

    /** Whether the turn was lent. Its owner, for example a unit of work, gives it back to the queue. */
    private volatile boolean lent;

    /** Whether the wait in progress must end. */
    private volatile boolean cancelled;

    /** Set once, before the turn is taken away. */
    private volatile boolean ended;

    ConnectionTurn(AccessQueue queue) {
        this.queue = queue;
    }

    String database() {
        return queue.database();
    }

    /** Whether reading needs a turn. */
    boolean isForReaders() {
        return queue.isForReaders();
    }

    boolean isHeld() {
        return turn.get() != null;
    }

    boolean isForWriting() {
        HeldTurns.Turn mine = turn.get();
        return mine != null && mine.isWrite();
    }

    /**
     * Marks the current thread as the user of the connection.
     *
     * @throws SQLException if the connection has ended
     */
    void use() throws SQLException {
        if (ended) {
            throw endedFailure();
        }
        cancelled = false;
        HeldTurns.Turn mine = turn.get();
        if (mine != null) {
            mine.use();
        }
    }

    /** Whether {@link #enter} would take or upgrade a turn. */
    boolean needs(boolean write) {
        HeldTurns.Turn mine = turn.get();
        return mine == null ? write || isForReaders() : write && !mine.isWrite();
    }

    /**
     * Waits for a turn, or for the upgrade of a reading turn. Does nothing if the connection has the turn already.
     *
     * @throws SQLException with SQLite's code for BUSY if the wait times out, or for an interrupt if the wait is cancelled; without a
     *     code if the wait would never end, or the connection has ended
     */
    void enter(boolean write, Duration timeout) throws SQLException {
        if (!needs(write)) {
            return;
        }
        HeldTurns.Turn mine = turn.get();
        boolean upgrade = mine != null;
        long start = System.nanoTime();
        boolean entered;
        try {
            if (mine == null) {
                mine = queue.enter(write, timeout, this::isGivenUp);
                entered = mine != null;
                if (mine != null && !turn.compareAndSet(null, mine)) {
                    queue.leave(mine);
                    throw new SQLException("Two threads use a connection to " + database() + " at once");
                }
            } else {
                entered = queue.upgrade(mine, timeout, this::isGivenUp);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted("the thread was interrupted");
        }
        if (ended) {
            leave(); // the thread that ended the connection may have checked before the turn came
            throw endedFailure();
        }
        if (!entered) {
            if (cancelled) {
                throw interrupted("the statement was cancelled");
            }
            boolean refused = upgrade && System.nanoTime() - start < timeout.toNanos();
            throw refused
                    ? DB.newSQLException(
                            SQLiteErrorCode.SQLITE_BUSY.code,
                            "another connection to " + database()
                                    + " also reads and waits to write; close the rows of one"
                                    + " connection before it writes")
                    : DB.newSQLException(
                            SQLiteErrorCode.SQLITE_BUSY.code,
                            queue.timeoutMessage(timeout) + "; make transactions shorter, or raise the busy timeout");
        }
    }

    /** Whether the statement in progress must end. */
    boolean isGivenUp() {
        return ended || cancelled;
    }

    private SQLException interrupted(String what) {
        return DB.newSQLException(
                SQLiteErrorCode.SQLITE_INTERRUPT.code, what + " while it waited for its turn on " + database());
    }

    SQLException endedFailure() {
        return new SQLNonTransientConnectionException("The connection to " + database() + " was closed", NO_CONNECTION);
    }

    /** Replaces a failure of a connection that was closed meanwhile: messages of SQLite and the driver do not say that. */
    void throwIfEnded(Throwable failure) throws SQLException {
        if (ended && failure instanceof SQLException) {
            SQLException closed = endedFailure();
            closed.initCause(failure);
            throw closed;
        }
    }

    /**
     * Uses the turn of another owner, who gives it back to the queue.
     *
     * @throws SQLException if the connection has ended, or has a turn already
     */
    void lend(HeldTurns.Turn borrowed) throws SQLException {
        use();
        if (isHeld()) {
            throw new SQLException("The connection to " + database() + " has a turn already; close its rows first");
        }
        lent = true;
        turn.set(borrowed);
    }

    /** Ends the use of a lent turn, unless the connection already has another user. */
    void takeBack(HeldTurns.Turn borrowed) {
        if (turn.compareAndSet(borrowed, null)) {
            lent = false;
        }
    }

    /** Ends the use of any lent turn. */
    void returnLent() {
        HeldTurns.Turn borrowed = turn.get();
        if (lent && borrowed != null) {
            takeBack(borrowed);
        }
    }

    /** Gives the connection's own turn back, if there is one. */
    void leave() {
        if (!lent) {
            HeldTurns.Turn mine = turn.getAndSet(null);
            if (mine != null) {
                queue.leave(mine);
            }
        }
    }

    /** Cancels a wait in progress. */
    void cancelWait() {
        cancelled = true;
        queue.wakeAll();
    }

    /** Rejects further statements and ends a wait. The turn stays until {@link #leave}, because a statement may still run. */
    void end() {
        ended = true;
        queue.wakeAll();
    }

    boolean isEnded() {
        return ended;
    }
}
