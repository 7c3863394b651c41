package dev.oneengine.work;

import dev.oneengine.cache.internal.Throwables;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a transaction of {@link UnitOfWork#begin} until its caller ends it. Logs one that is open for too long, with the place where it
 * was begun. Rolls back a transaction whose thread has died, because no other thread can end it. Thread-safe.
 */
final class LeakWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LeakWatch.class);

    /** Shared by the whole process. Its thread is a daemon and lives only while there are transactions to watch. */
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    /** The longest time until the death of a thread is noticed. On SQLite all other writers wait until then. */
    private static final long LONGEST_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final UnitState unit;

    private final long begin = System.nanoTime();
    private final long limitNanos;

    /** Never thrown: its stack shows the place. */
    private final Throwable place = new Throwable("The transaction was begun here");

    /** Confined to the timer's thread. */
    private boolean reported;

    /** Confined to the unit's thread. */
    private @Nullable Future<?> task;

    private LeakWatch(UnitState unit, long limitNanos) {
        this.unit = unit;
        this.limitNanos = limitNanos;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "one-engine leak watch");
            thread.setDaemon(true);
            thread.setContextClassLoader(null); // the first caller's class loader must not be kept alive
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /**
     * Starts to watch a unit.
     *
     * @return the watch, or {@code null} if the settings switch it off
     */
    static @Nullable LeakWatch start(UnitState unit) {
        Duration after = unit.settings.leakAfter();
        if (after.isZero()) {
            return null;
        }
        long nanos = Durations.nanos(after);
        LeakWatch watch = new LeakWatch(unit, nanos);
        long period = Math.min(nanos, LONGEST_PERIOD_NANOS);
        watch.task = TIMER.scheduleWithFixedDelay(watch::look, period, period, TimeUnit.NANOSECONDS);
        return watch;
    }

    /** Whether the transaction is open for longer than the settings allow. */
    boolean isOverdue() {
        return System.nanoTime() - begin >= limitNanos;
    }

    /** Returns the stack of the call that began the transaction. */
    Throwable place() {
        return place;
    }

    /** Returns the line of the caller's code that began the transaction: the one below the call of {@code begin}. */
    String line() {
        StackTraceElement[] stack = place.getStackTrace();
        for (int i = 0; i < stack.length - 1; i++) {
            if (stack[i].getMethodName().equals("begin")) {
                return stack[i + 1].toString();
            }
        }
        return "an unknown place"; // such as with -XX:-StackTraceInThrowable
    }

    void stop() {
        Future<?> scheduled = task;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }

    /** Returns the number of watched transactions, for tests. */
    static int watched() {
        return TIMER.getQueue().size();
    }

    /** Rolls back a unit whose {@link Transaction} was garbage collected. */
    static void rollBackDropped(UnitState unit, Throwable place) {
        unit.rollback(place);
        Throwables.log(() -> LOG.warn(
                "A unit of work on {} was left open in thread {}, and its Transaction was garbage collected. The unit was rolled"
                        + " back. Commit or close each transaction of begin().",
                unit.url(),
                unit.owner.getName(),
                place));
    }

    private void look() {
        Thread owner = unit.owner;
        boolean alive = owner.isAlive(); // read first: the thread may end the unit after this line, and then die
        if (unit.hasEnded()) {
            throw new CancellationException("The unit has ended"); // ends the periodic task
        }
        if (!alive) {
            unit.rollback(place);
            Throwables.log(() -> LOG.warn(
                    "A unit of work on {} was left open by thread {}, which has died. The unit was rolled back. Commit or close"
                            + " each transaction of begin().",
                    unit.url(),
                    owner.getName(),
                    place));
        } else if (!reported && isOverdue()) {
            reported = true;
            Throwables.log(() -> LOG.warn(
                    "A unit of work on {} has been open for more than {} in thread {}. Commit or close it.",
                    unit.url(),
                    unit.settings.leakAfter(),
                    owner.getName(),
                    place));
        }
    }
}
