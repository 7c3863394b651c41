package dev.oneengine.cache;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The turns that threads hold on one SQLite database: one writer, or readers together. Guarded by the lock of its {@link AccessQueue}; a
 * {@link Turn} itself is thread-safe.
 */
final class HeldTurns {
    /** The SQL state of "active SQL transaction". */
    static final String ACTIVE_TRANSACTION = "25001";

    private final String database;
    private final int mostReaders;
    private final List<Turn> readers = new ArrayList<>();
    private @Nullable Turn writer;

    /** The right to read or to write. */
    static final class Turn {
        /** The thread that uses the turn. It changes when a connection is passed to another thread. */
        private volatile Thread thread = Thread.currentThread();

        private final AtomicInteger heldByThread = ConnectionDeadlocks.heldByThisThread();

        /** Changes only under the lock of the queue, in the thread that reads it. */
        private volatile boolean write;

        Turn(boolean write) {
            this.write = write;
        }

        boolean isWrite() {
            return write;
        }

        /** Marks the current thread as the user of the turn. */
        void use() {
            Thread me = Thread.currentThread();
            if (thread != me) {
                thread = me;
            }
        }
    }

    /**
     * Creates an empty set of turns.
     *
     * @param database the database, for messages
     * @param mostReaders the largest number of threads that read together
     */
    HeldTurns(String database, int mostReaders) {
        this.database = database;
        this.mostReaders = mostReaders;
    }

    /**
     * Whether the held turns permit another one.
     *
     * @param upgraded the reading turn that becomes the writing turn; {@code null} for a new turn
     */
    boolean isFree(boolean write, @Nullable Turn upgraded) {
        int others = readers.size() - (upgraded == null ? 0 : 1);
        return writer == null && (write ? others == 0 : others < mostReaders);
    }

    boolean isWriting() {
        return writer != null;
    }

    /** Takes a turn for the current thread; returns {@code null} if it must wait. */
    @Nullable Turn take(boolean write) {
        return isFree(write, null) ? add(new Turn(write)) : takeAgain(write);
    }

    /**
     * Takes another reading turn for a thread that reads already, on another connection; returns {@code null} for any other thread. If
     * the thread queued behind a waiting writer, it would wait for itself.
     */
    @Nullable Turn takeAgain(boolean write) {
        return !write && writer == null && isReadByThisThread(null) ? add(new Turn(false)) : null;
    }

    Turn add(Turn turn) {
        turn.heldByThread.incrementAndGet();
        if (turn.write) {
            writer = turn;
        } else {
            readers.add(turn);
        }
        return turn;
    }

    void remove(Turn turn) {
        turn.heldByThread.decrementAndGet();
        if (writer == turn) {
            writer = null;
        } else {
            readers.remove(turn);
        }
    }

    /** Makes a reading turn the writing turn, unless another thread reads or writes. */
    boolean upgradeIfAlone(Turn turn) {
        boolean alone = isFree(true, turn);
        if (alone) {
            upgrade(turn);
        }
        return alone;
    }

    void upgrade(Turn turn) {
        readers.remove(turn);
        turn.write = true;
        writer = turn;
    }

    /** Makes an upgraded turn a reading turn again. */
    void downgrade(Turn turn) {
        turn.write = false;
        writer = null;
        readers.add(turn);
    }

    /**
     * Checks that the current thread would wait for other threads only.
     *
     * @param own the turn that it needs to upgrade; {@code null} if it needs a new one
     * @throws SQLException if the thread itself holds a turn that excludes the one it needs
     */
    void requireOtherThread(boolean write, @Nullable Turn own) throws SQLException {
        boolean waitsForWriter = writer != null && writer.thread == Thread.currentThread();
        if (waitsForWriter || (write && isReadByThisThread(own))) {
            throw new SQLNonTransientException(
                    "Thread " + Thread.currentThread().getName() + " would wait for ever for itself: it needs to "
                            + (write ? "write to " : "read ") + database + ", but its own open "
                            + (waitsForWriter ? "writing transaction" : "read")
                            + " on another connection excludes that; use that connection (in a unit of work"
                            + " tx.connection() or tx.dataSource()), or work before or after that transaction, for example in an"
                            + " afterCommit hook",
                    ACTIVE_TRANSACTION);
        }
    }

    private boolean isReadByThisThread(@Nullable Turn except) {
        for (Turn turn : readers) {
            if (turn != except && turn.thread == Thread.currentThread()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the threads that hold a turn. */
    List<Thread> threadsExcept(Turn own) {
        List<Thread> threads = new ArrayList<>();
        if (writer != null) {
            threads.add(writer.thread);
        }
        for (Turn turn : readers) {
            if (turn != own) {
                threads.add(turn.thread);
            }
        }
        return threads;
    }

    /** Names a thread that holds a turn, for messages. */
    String describe() {
        return writer != null
                ? "thread " + writer.thread.getName() + " is writing"
                : readers.isEmpty()
                        ? "the database is free again"
                        : "thread " + readers.get(0).thread.getName() + " is reading";
    }
}
