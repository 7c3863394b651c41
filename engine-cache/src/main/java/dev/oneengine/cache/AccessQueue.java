package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fair queue for one SQLite database: one writer at a time, or readers together. SQLite itself makes waiting connections sleep and
 * retry, which starves some of them. Waiting here parks the thread, so virtual threads release their carriers.
 *
 * <p>The queue is fair in time slices, because waking a thread costs far more than a small transaction. During a slice, a running thread
 * may enter before sleeping threads. After the slice, the first thread in the queue is next. A thread waits at most one slice for each
 * thread before it, plus the transaction that ends the slice.
 *
 * <p>Thread-safe. Any thread may give a turn back.
 */
final class AccessQueue {
    /** Much longer than waking a thread takes, and too short for a person to notice. */
    private static final Duration SLICE = Duration.ofMillis(4);

    /** More waiting threads shorten the slice, so that all of them together wait no longer. */
    private static final int WAITERS_OF_FULL_SLICES = 8;

    /** A slice is never shorter than this part of {@link #SLICE}: shorter ones would consist of waking threads. */
    private static final int SHORTEST_PART = 4;

    /** The longest wait. Short enough that the sum of this and the current time fits into a {@code long}. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** The SQL state of "active SQL transaction". */
    private static final String ACTIVE_TRANSACTION = "25001";

    private static final String NO_CONNECTION = "08003";

    private final String database;
    private final boolean readersQueue;
    private final long slice;
    private final int mostReaders;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private @Nullable Turn writer;

    @GuardedBy("lock") private final List<Turn> readers = new ArrayList<>();

    @GuardedBy("lock") private final Deque<Waiter> queue = new ArrayDeque<>();

    /** The start of the slice; meaningless while no thread waits. */
    @GuardedBy("lock") private long sliceStart;

    @GuardedBy("lock") private boolean closed;

    /** The right to read or to write. */
    final class Turn {
        /** The thread that uses the turn. It changes when a connection is passed to another thread. */
        private volatile Thread thread = Thread.currentThread();

        private final AtomicInteger held = DeadlockDetector.heldByThisThread();

        /** Changes only under the lock of the queue, in the thread that reads it. */
        private volatile boolean write;

        private Turn(boolean write) {
            this.write = write;
        }

        boolean isWrite() {
            return write;
        }

        /** Gives this turn back. */
        void leave() {
            AccessQueue.this.leave(this);
        }

        /** Marks the current thread as the user of the turn. */
        void use() {
            Thread me = Thread.currentThread();
            if (thread != me) {
                thread = me;
            }
        }
    }

    /** A thread that waits for a new turn, or for the upgrade of its reading turn to a writing turn. */
    private final class Waiter {
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
        this(database, readersQueue, mostReaders, SLICE);
    }

    AccessQueue(String database, boolean readersQueue, int mostReaders, Duration slice) {
        this.database = database;
        this.readersQueue = readersQueue;
        this.mostReaders = mostReaders;
        this.slice = slice.toNanos();
    }

    /** Creates the queue of a database; returns {@code null} for a server, which orders its clients itself. */
    static @Nullable AccessQueue of(DatabaseUrl url, EngineSettings settings) {
        return url.kind().isSqlite()
                ? new AccessQueue(url.toString(), url.kind() == DatabaseUrl.Kind.SQLITE_MEMORY, settings.poolSize())
                : null;
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
            if ((isFree(write, null) && (queue.isEmpty() || !isSliceOver())) || isReaderAgain(write)) {
                return admit(new Turn(write));
            }
            requireOtherHolder(write, null);
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
            if (isFree(true, turn)) {
                switchToWriting(turn);
                return true;
            }
            requireOtherHolder(true, turn);
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

    /**
     * A reading thread may also read on another connection. If it queued behind a waiting writer, it would wait for
     * itself.
     */
    @GuardedBy("lock") private boolean isReaderAgain(boolean write) {
        return !write && writer == null && isHeldByThisThread(readers, null);
    }

    @GuardedBy("lock") private void requireOtherHolder(boolean write, @Nullable Turn own) throws SQLException {
        Turn writing = writer;
        boolean waitsForWriter = writing != null && writing.thread == Thread.currentThread();
        if (waitsForWriter || (write && isHeldByThisThread(readers, own))) {
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

    private static boolean isHeldByThisThread(List<Turn> turns, @Nullable Turn except) {
        for (Turn turn : turns) {
            if (turn != except && turn.thread == Thread.currentThread()) {
                return true;
            }
        }
        return false;
    }

    @GuardedBy("lock") private Waiter enqueue(boolean write, @Nullable Turn upgraded) {
        Waiter waiter = new Waiter(write, upgraded, lock.newCondition());
        if (queue.isEmpty()) {
            sliceStart = System.nanoTime();
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
        boolean registered = DeadlockDetector.isHolding();
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
                            ACTIVE_TRANSACTION);
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
                DeadlockDetector.unregister();
            }
        }
    }

    private boolean canEnd(Waiter me) {
        try {
            return DeadlockDetector.register(wait(me));
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
            waiter.turn.write = false;
            writer = null;
            readers.add(waiter.turn);
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
        turn.held.decrementAndGet();
        if (writer == turn) {
            writer = null;
        } else {
            readers.remove(turn);
            Waiter first = queue.peek();
            if (first != null && first.turn == turn) {
                queue.remove(); // a returned reading turn cannot be upgraded
            }
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
            Turn writing = writer;
            String holder = writing != null
                    ? "thread " + writing.thread.getName() + " is writing"
                    : readers.isEmpty()
                            ? "the database is free again"
                            : "thread " + readers.get(0).thread.getName() + " is reading";
            return "Thread " + Thread.currentThread().getName() + " has waited " + timeout + " for its turn on "
                    + database + ": "
                    + holder;
        } finally {
            lock.unlock();
        }
    }

    private DeadlockDetector.Resource wait(Waiter waiter) {
        return new DeadlockDetector.Resource() {
            @Override
            public List<Thread> holders() {
                lock.lock();
                try {
                    return waiter.admitted ? List.of() : holdersExcept(waiter.turn);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public boolean isAnyEnough() {
                lock.lock();
                try {
                    // A reader behind readers waits for any of them to leave, because their number is limited.
                    return !waiter.write && writer == null && queue.stream().noneMatch(other -> other.write);
                } finally {
                    lock.unlock();
                }
            }
        };
    }

    @GuardedBy("lock") private List<Thread> holdersExcept(Turn own) {
        List<Thread> threads = new ArrayList<>();
        Turn writing = writer;
        if (writing != null) {
            threads.add(writing.thread);
        }
        for (Turn turn : readers) {
            if (turn != own) {
                threads.add(turn.thread);
            }
        }
        return threads;
    }

    /** Admits the first waiter; if it reads, also all readers directly behind it. */
    @GuardedBy("lock") private void handOver() {
        Waiter next = queue.peek();
        while (next != null && isFree(next)) {
            queue.remove();
            admit(next);
            next.wakeUp.signal();
            sliceStart = System.nanoTime();
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
            switchToWriting(waiter.turn);
        } else {
            admit(waiter.turn);
        }
    }

    @GuardedBy("lock") private Turn admit(Turn turn) {
        turn.held.incrementAndGet();
        if (turn.write) {
            writer = turn;
        } else {
            readers.add(turn);
        }
        return turn;
    }

    @GuardedBy("lock") private void switchToWriting(Turn turn) {
        readers.remove(turn);
        turn.write = true;
        writer = turn;
    }

    @GuardedBy("lock") private boolean isFree(Waiter waiter) {
        return isFree(waiter.write, waiter.upgrade ? waiter.turn : null);
    }

    @GuardedBy("lock") private boolean isFree(boolean write, @Nullable Turn upgraded) {
        int others = readers.size() - (upgraded == null ? 0 : 1);
        return !closed && writer == null && (write ? others == 0 : others < mostReaders);
    }

    @GuardedBy("lock") private boolean isSliceOver() {
        return sliceLeft() <= 0;
    }

    @GuardedBy("lock") private long sliceLeft() {
        return sliceStart + lengthOf(slice, queue.size()) - System.nanoTime();
    }

    /** Returns the length of a slice while a number of threads wait. */
    static long lengthOf(long slice, int waiting) {
        return Math.max(
                slice / SHORTEST_PART, slice / Math.max(WAITERS_OF_FULL_SLICES, waiting) * WAITERS_OF_FULL_SLICES);
    }
}
