package dev.oneengine.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a database: one writer at a time, or readers together. Whoever must wait does so in a queue.
 *
 * <p>It is fair in slices of time. Handing the turn over for each unit would cost many times the unit, as the thread that is
 * next has to be woken. So while a slice lasts, a thread that is running anyway may come in before those that sleep; once it is
 * over, the first in the queue is next, whoever else comes. So nobody waits for longer than a slice for each one before it, and
 * for what these do when their slice ends.
 *
 * <p>Thread-safe. A turn belongs to no thread: any may give it back.
 */
final class Turns {
    private final long slice;
    private final int mostReaders;

    private final ReentrantLock lock = new ReentrantLock();

    /** Whoever got the turn to write; another thread may give it back. */
    @GuardedBy("lock") private @Nullable Thread writer;

    @GuardedBy("lock") private int reading;

    @GuardedBy("lock") private final Deque<Waiter> queue = new ArrayDeque<>();

    /** When the slice began; of no meaning while nobody waits. */
    @GuardedBy("lock") private long sliceStart;

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private final boolean write;
        private final Condition wakeUp;

        /** Whether it has the turn: it was given to it by whoever left. */
        private boolean admitted;

        /** Whether it was woken to see if it can come in; once is enough, for then it looks after itself. */
        private boolean woken;

        Waiter(boolean write, Condition wakeUp) {
            this.write = write;
            this.wakeUp = wakeUp;
        }
    }

    /**
     * Makes turns that nobody has.
     *
     * @param slice how long running threads may come in before those that wait
     * @param mostReaders how many can read together; more would only wait elsewhere, without order
     */
    Turns(Duration slice, int mostReaders) {
        this.slice = Durations.nanos(slice);
        this.mostReaders = mostReaders;
    }

    /**
     * Waits for a turn; takes one that is to be had at once even in an interrupted thread.
     *
     * @return whether it came in time
     */
    boolean enter(boolean write, Duration patience) throws InterruptedException {
        lock.lock();
        try {
            if (isFree(write) && (queue.isEmpty() || !isSliceOver())) {
                admit(write, Thread.currentThread());
                return true;
            }
            return await(write, System.nanoTime() + Durations.nanos(patience));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean await(boolean write, long deadline) throws InterruptedException {
        Waiter me = new Waiter(write, lock.newCondition());
        if (queue.isEmpty()) {
            sliceStart = System.nanoTime();
        }
        queue.add(me);
        try {
            while (!me.admitted) {
                if (queue.peek() == me && isFree(write)) {
                    queue.remove();
                    admit(me);
                    wakeFirst(); // a reader behind a reader
                    break;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                // Whoever leaves after the slice lets the first in; before that it was woken once, and now wakes by
                // itself.
                me.wakeUp.awaitNanos(me.woken && !isSliceOver() ? Math.min(left, sliceLeft()) : left);
            }
            return true;
        } catch (InterruptedException e) {
            if (me.admitted) {
                giveBack(write); // it came together with the interrupt
            }
            throw e;
        } finally {
            if (queue.remove(me)) {
                wakeFirst(); // it does not wait for this one any more
            }
        }
    }

    /** Gives a turn back. */
    void leave(boolean write) {
        lock.lock();
        try {
            giveBack(write);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void giveBack(boolean write) {
        if (write) {
            writer = null;
        } else {
            reading--;
        }
        if (!queue.isEmpty()) {
            if (isSliceOver()) {
                handOver();
            } else {
                wakeFirst();
            }
        }
    }

    /** The thread that writes, if one does. */
    @Nullable Thread writer() {
        lock.lock();
        try {
            return writer;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the first in, and with a reader all readers behind it. */
    @GuardedBy("lock") private void handOver() {
        Waiter next = queue.peek();
        while (next != null && isFree(next.write)) {
            queue.remove();
            admit(next);
            next.wakeUp.signal();
            sliceStart = System.nanoTime();
            next = queue.peek();
        }
    }

    @GuardedBy("lock") private void wakeFirst() {
        Waiter first = queue.peek();
        if (first != null && !first.woken && isFree(first.write)) {
            first.woken = true;
            first.wakeUp.signal();
        }
    }

    @GuardedBy("lock") private void admit(Waiter waiter) {
        waiter.admitted = true;
        admit(waiter.write, waiter.thread);
    }

    @GuardedBy("lock") private void admit(boolean write, Thread thread) {
        if (write) {
            writer = thread;
        } else {
            reading++;
        }
    }

    @GuardedBy("lock") private boolean isFree(boolean write) {
        return writer == null && (write ? reading == 0 : reading < mostReaders);
    }

    @GuardedBy("lock") private boolean isSliceOver() {
        return sliceLeft() <= 0;
    }

    @GuardedBy("lock") private long sliceLeft() {
        return sliceStart + slice - System.nanoTime();
    }
}
