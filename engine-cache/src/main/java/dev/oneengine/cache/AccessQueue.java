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
 * A fair queue for one SQLite database: one writer at a time, or readers together. SQLite itself lets waiting connections sleep
 * and retry, which starves some of them. Waiting here parks the thread, so virtual threads release their carriers.
 *
 * <p>The queue is fair in time slices. Waking a thread costs far more than a small transaction. So while a slice lasts, a running
 * thread may enter before sleeping ones; after the slice, the first in the queue is next. A thread waits at most one slice for
 * each thread before it, plus the transaction that ends the slice.
 *
 * <p>Thread-safe. Any thread may give a turn back.
 */
final class AccessQueue {
    /** Long enough to pay for waking a thread, and too short for a person to notice. */
    private static final Duration SLICE = Duration.ofMillis(1);

    /** The longest wait; the sum of this and any time fits into a long. */
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

    /** When the slice began; meaningless while nobody waits. */
    @GuardedBy("lock") private long sliceStart;

    @GuardedBy("lock") private boolean closed;

    /** The right to write, or to read. */
    final class Turn {
        /** The thread that uses the turn; it changes when a connection is passed to another thread. */
        private volatile Thread thread = Thread.currentThread();

        private final AtomicInteger held = DeadlockDetector.heldByThisThread();

        /** Changes under the lock of the queue alone, in the thread that reads it. */
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

        /** Notes that the current thread uses the turn. */
        void use() {
            Thread me = Thread.currentThread();
            if (thread != me) {
                thread = me;
            }
        }
    }

    /** A thread that waits for a new turn, or for its reading turn to become a writing one. */
    private final class Waiter {
        private final boolean write;
        private final boolean upgrade;
        private final Turn turn;
        private final Condition wakeUp;

        /** Whether a leaving thread gave it the turn. */
        private boolean admitted;

        /** Whether it was woken within this slice; from then on it wakes by itself when the slice ends. */
        private boolean woken;

        Waiter(boolean write, @Nullable Turn upgraded, Condition wakeUp) {
            this.write = write;
            this.upgrade = upgraded != null;
            this.turn = upgraded != null ? upgraded : new Turn(write);
            this.wakeUp = wakeUp;
        }
    }

    /**
     * Creates a queue without turns.
     *
     * @param database the database, for messages
     * @param readersQueue whether readers wait for the writer, and the writer for readers
     * @param mostReaders how many threads may read together; more would only wait for connections, without order
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

    /** Whether readers need a turn: in memory they do, and in a write-ahead log they do not. */
    boolean isForReaders() {
        return readersQueue;
    }

    /**
     * Waits for a turn. Takes one that is free even in an interrupted thread.
     *
     * @param timeout how long to wait at most
     * @param givenUp whether the caller has given up; {@link #wakeAll} makes waiting threads look
     * @return the turn, or {@code null} if it did not come in time or nobody wants it
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
            refuseToWaitForItself(write, null);
            waiter = enqueue(write, null);
        } finally {
            lock.unlock();
        }
        return await(waiter, timeout, givenUp) ? waiter.turn : null;
    }

    /**
     * Turns the right to read into the right to write, waiting for the other readers to leave.
     *
     * @return whether that came in time; if not, the turn is still one to read
     * @throws SQLException if another reader waits for the same, as each would wait for the other
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
            refuseToWaitForItself(true, turn);
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

    /** A thread that reads may read on another connection, too: behind a writer it would wait for itself. */
    @GuardedBy("lock") private boolean isReaderAgain(boolean write) {
        return !write && writer == null && isHeldByThisThread(readers, null);
    }

    @GuardedBy("lock") private void refuseToWaitForItself(boolean write, @Nullable Turn own) throws SQLException {
        Turn writing = writer;
        boolean waitsForWriter = writing != null && writing.thread == Thread.currentThread();
        if (waitsForWriter || (write && isHeldByThisThread(readers, own))) {
            throw new SQLNonTransientException(
                    "Thread " + Thread.currentThread().getName() + " would wait for ever for itself: it wants to "
                            + (write ? "write to " : "read ") + database + ", and its open "
                            + (waitsForWriter ? "transaction that writes" : "read")
                            + " on another connection excludes that; use that connection (in a unit of work"
                            + " tx.connection() or tx.dataSource()), or do this before or after, such as in an"
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
            queue.addFirst(waiter); // the first waiter would wait for this reader
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
                                    + ": each thread in a ring holds what the next one waits for; take turns and"
                                    + " connections in the same order everywhere, or one at a time",
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
                DeadlockDetector.end();
            }
        }
    }

    private boolean canEnd(Waiter me) {
        try {
            return DeadlockDetector.begin(wait(me));
        } catch (Throwable t) { // such as too deep a stack
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
                    wakeFirst(); // a reader behind a reader
                    break;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 || givenUp.getAsBoolean()) {
                    return false;
                }
                // A thread that leaves after the slice admits the first waiter. Before that it wakes the waiter once.
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

    /** The turn came together with an interrupt. An upgraded turn becomes one to read again. */
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
            wakeFirst(); // it waits for this one no longer
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
                queue.remove(); // who has given its reading back cannot become a writer
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

    /** Lets every waiting thread look whether its turn is still wanted. */
    void wakeAll() {
        lock.lock();
        try {
            queue.forEach(waiter -> waiter.wakeUp.signal());
        } finally {
            lock.unlock();
        }
    }

    /** Ends every wait with an exception, and admits nobody from now on. */
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

    /** Says that a wait was too long, and which thread it was for. */
    String timeoutMessage(Duration timeout) {
        lock.lock();
        try {
            Turn writing = writer;
            String holder = writing != null
                    ? "thread " + writing.thread.getName() + " is writing"
                    : readers.isEmpty()
                            ? "it is free again"
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
                    // A reader behind readers waits for one of them to leave, as there may be only so many.
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

    /** Admits the first waiter, and with a reader all readers behind it. */
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
            next.woken = false; // in this slice it was not, even if it was first before a reader came to write
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
        return sliceStart + slice - System.nanoTime();
    }
}
