package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.oneengine.cache.HeldTurns.Turn;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fair queue for one SQLite database. {@link HeldTurns} decides which threads exclude each other, and this class decides who is next.
 * SQLite itself makes waiting connections sleep and retry, which starves some of them. Waiting here parks the thread, so virtual threads
 * release their carriers.
 *
 * <p>Within a {@link TimeSlice}, a running thread may enter before sleeping threads. After it, the first thread in the queue is next. A
 * thread waits at most one slice for each thread before it, plus the transaction that ends the slice.
 *
 * <p>Thread-safe. Any thread may give a turn back.
 */
final class AccessQueue {
    /** The longest wait. Short enough that the sum of this and the current time fits into a {@code long}. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final String NO_CONNECTION = "08003";

    private final String database;
    private final boolean readersQueue;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final HeldTurns held;

    @GuardedBy("lock") private final Deque<Waiter> queue = new ArrayDeque<>();

    /** Meaningless while no thread waits. */
    @GuardedBy("lock") private final TimeSlice slice;

    @GuardedBy("lock") private boolean closed;

    /** A thread that waits for a new turn, or for the upgrade of its reading turn to a writing turn. */
    private static final class Waiter {
        private final boolean write;
        private final boolean upgrade;
        private final Turn turn;
        private final Condition wakeUp;

        /** Whether a leaving thread gave it the turn. */
        private boolean admitted;

        /** Whether it was woken within this slice. After that, it wakes by itself when the slice ends. */
        private boolean woken;

        Waiter(boolean write, @Nullable Turn upgraded, Condition wakeUp) {
            this.write = write;
            this.upgrade = upgraded != null;
            this.turn = upgraded != null ? upgraded : new Turn(write);
            this.wakeUp = wakeUp;
        }
    }

    /**
     * Creates an empty queue.
     *
     * @param database the database, for messages
     * @param readersQueue whether readers wait for the writer, and the writer for readers
     * @param mostReaders the largest number of threads that read together; more threads would wait for connections, in no order
     */
    AccessQueue(String database, boolean readersQueue, int mostReaders) {
        this(database, readersQueue, mostReaders, TimeSlice.FULL_LENGTH);
    }

    AccessQueue(String database, boolean readersQueue, int mostReaders, Duration slice) {
        this.database = database;
        this.readersQueue = readersQueue;
        this.held = new HeldTurns(database, mostReaders);
        this.slice = new TimeSlice(slice);
    }

    /** Creates the queue of a database; returns {@code null} for a server, which orders its clients itself. */
    static @Nullable AccessQueue of(DatabaseUrl url, EngineSettings settings) {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new AccessQueue(url.toString(), true, settings.poolSize);
            case SQLITE_FILE -> new AccessQueue(url.toString(), false, settings.poolSize);
            case POSTGRESQL, OTHER -> null;
        };
    }

    String database() {
        return database;
    }

    /** Whether readers need a turn: in memory they do, with a write-ahead log they do not. */
    boolean isForReaders() {
        return readersQueue;
    }

    /**
     * Waits for a turn. Takes a free turn even in an interrupted thread. A caller checks the {@link StackReserve} first: an overflow
     * between the admission and the return would lose the turn.
     *
     * @param timeout the longest wait
     * @param givenUp whether the caller has given up; {@link #wakeAll} makes waiting threads check this
     * @return the turn, or {@code null} if the wait timed out or the caller has given up
     * @throws SQLException if the wait would never end, or the queue is closed
     */
    @Nullable Turn enter(boolean write, Duration timeout, BooleanSupplier givenUp) throws SQLException, InterruptedException {
        Waiter waiter;
        lock.lock();
        try {
            if (closed) {
                throw closed();
            }
            boolean othersFirst = !queue.isEmpty() && isSliceOver();
            Turn turn = othersFirst ? held.takeAgain(write) : held.take(write);
            if (turn != null) {
                return turn;
            }
            held.requireOtherThread(write, null);
            waiter = enqueue(write, null);
        } finally {
            lock.unlock();
        }
        return await(waiter, timeout, givenUp) ? waiter.turn : null;
    }

    /**
     * Upgrades a reading turn to a writing turn. Waits for the other readers to leave.
     *
     * @return whether the turn was upgraded; {@code false} if the wait timed out, or another reader waits for its upgrade, because each
     *     would wait for the other
     * @throws SQLException if the wait would never end, or the queue is closed
     */
    boolean upgrade(Turn turn, Duration timeout, BooleanSupplier givenUp) throws SQLException, InterruptedException {
        Waiter waiter;
        lock.lock();
        try {
            if (closed) {
                throw closed();
            }
            if (held.upgradeIfAlone(turn)) {
                return true;
            }
            held.requireOtherThread(true, turn);
            Waiter first = queue.peek();
            if (first != null && first.upgrade) {
                return false;
            }
            waiter = enqueue(true, turn);
        } finally {
            lock.unlock();
        }
        return await(waiter, timeout, givenUp);
    }

    @GuardedBy("lock") private Waiter enqueue(boolean write, @Nullable Turn upgraded) {
        Waiter waiter = new Waiter(write, upgraded, lock.newCondition());
        if (queue.isEmpty()) {
            slice.begin();
        }
        if (upgraded == null) {
            queue.addLast(waiter);
        } else {
            queue.addFirst(waiter); // the first waiter waits for this reader
        }
        return waiter;
    }

    private boolean await(Waiter me, Duration timeout, BooleanSupplier givenUp)
            throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
        boolean registered = ConnectionDeadlocks.isHolding();
        if (registered && !canEnd(me)) {
            lock.lock();
            try {
                if (!me.admitted) {
                    remove(me);
                    throw new SQLNonTransientException(
                            "Thread " + Thread.currentThread().getName() + " would wait for ever for its turn on "
                                    + database
                                    + ": in a deadlock, each thread holds a turn or connection that the next one waits for; take"
                                    + " turns and connections in the same order everywhere, or one at a time",
                            HeldTurns.ACTIVE_TRANSACTION);
                }
                return true;
            } finally {
                lock.unlock();
            }
        }
        try {
            return awaitTurn(me, deadline, givenUp);
        } finally {
            if (registered) {
                ConnectionDeadlocks.unregister();
            }
        }
    }

    private boolean canEnd(Waiter me) {
        try {
            return ConnectionDeadlocks.register(wait(me));
        } catch (Throwable t) { // for example a stack overflow
            lock.lock();
            try {
                if (me.admitted) {
                    takeBack(me);
                } else {
                    remove(me);
                }
            } finally {
                lock.unlock();
            }
            throw t;
        }
    }

    private boolean awaitTurn(Waiter me, long deadline, BooleanSupplier givenUp)
            throws SQLException, InterruptedException {
        lock.lock();
        try {
            return awaitLocked(me, deadline, givenUp);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean awaitLocked(Waiter me, long deadline, BooleanSupplier givenUp)
            throws SQLException, InterruptedException {
        try {
            while (!me.admitted) {
                if (closed) {
                    throw closed();
                }
                if (queue.peek() == me && isFree(me)) {
                    queue.remove();
                    admit(me);
                    wakeFirst(); // the next waiter may be a reader that queued behind this one
                    break;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 || givenUp.getAsBoolean()) {
                    return false;
                }
                // After the slice, a leaving thread admits the first waiter. During the slice, it only wakes the
                // waiter, once.
                me.wakeUp.awaitNanos(me.woken && !isSliceOver() ? Math.min(left, sliceLeft()) : left);
            }
            return true;
        } catch (InterruptedException e) {
            if (me.admitted) {
                takeBack(me);
            }
            throw e;
        } finally {
            remove(me);
        }
    }

    /** Takes back a turn that came together with an interrupt. An upgraded turn becomes a reading turn again. */
    @GuardedBy("lock") private void takeBack(Waiter waiter) {
        if (waiter.upgrade) {
            held.downgrade(waiter.turn);
            admitNext();
        } else {
            giveBack(waiter.turn);
        }
    }

    @GuardedBy("lock") private void remove(Waiter waiter) {
        if (queue.remove(waiter)) {
            wakeFirst(); // the thread no longer waits for this turn
        }
    }

    /** Gives a turn back. */
    void leave(Turn turn) {
        lock.lock();
        try {
            giveBack(turn);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void giveBack(Turn turn) {
        held.remove(turn);
        Waiter first = queue.peek();
        if (first != null && first.turn == turn) {
            queue.remove(); // a returned reading turn cannot be upgraded
        }
        admitNext();
    }

    @GuardedBy("lock") private void admitNext() {
        if (!queue.isEmpty()) {
            if (isSliceOver()) {
                handOver();
            } else {
                wakeFirst();
            }
        }
    }

    /** Makes each waiting thread check whether its caller has given up. */
    void wakeAll() {
        lock.lock();
        try {
            queue.forEach(waiter -> waiter.wakeUp.signal());
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits with an exception, and admits no thread from now on. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        wakeAll();
    }

    private SQLException closed() {
        return new SQLNonTransientConnectionException("The engine for " + database + " was closed", NO_CONNECTION);
    }

    /** Returns the message for a wait that timed out, with the thread that holds the turn. */
    String timeoutMessage(Duration timeout) {
        lock.lock();
        try {
            return "Thread " + Thread.currentThread().getName() + " has waited " + timeout + " for its turn on "
                    + database + ": "
                    + held.describe();
        } finally {
            lock.unlock();
        }
    }

    private ConnectionDeadlocks.Resource wait(Waiter waiter) {
        return new ConnectionDeadlocks.Resource() {
            @Override
            public List<Thread> holders() {
                lock.lock();
                try {
                    return waiter.admitted ? List.of() : held.threadsExcept(waiter.turn);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public boolean isAnyEnough() {
                lock.lock();
                try {
                    // A reader behind readers waits for any of them to leave, because their number is limited.
                    return !waiter.write && !held.isWriting() && queue.stream().noneMatch(other -> other.write);
                } finally {
                    lock.unlock();
                }
            }
        };
    }

    /** Admits the first waiter; if it reads, also all readers directly behind it. */
    @GuardedBy("lock") private void handOver() {
        Waiter next = queue.peek();
        while (next != null && isFree(next)) {
            queue.remove();
            admit(next);
            next.wakeUp.signal();
            slice.begin();
            next = queue.peek();
        }
        if (next != null) {
            // It may have been first, and woken, before an upgrade overtook it: it may be woken again in this slice.
            next.woken = false;
        }
    }

    @GuardedBy("lock") private void wakeFirst() {
        Waiter first = queue.peek();
        if (first != null && !first.woken && isFree(first)) {
            first.woken = true;
            first.wakeUp.signal();
        }
    }

    @GuardedBy("lock") private void admit(Waiter waiter) {
        waiter.admitted = true;
        if (waiter.upgrade) {
            held.upgrade(waiter.turn);
        } else {
            held.add(waiter.turn);
        }
    }

    @GuardedBy("lock") private boolean isFree(Waiter waiter) {
        return !closed && held.isFree(waiter.write, waiter.upgrade ? waiter.turn : null);
    }

    @GuardedBy("lock") private boolean isSliceOver() {
        return sliceLeft() <= 0;
    }

    @GuardedBy("lock") private long sliceLeft() {
        return slice.left(queue.size());
    }
}
