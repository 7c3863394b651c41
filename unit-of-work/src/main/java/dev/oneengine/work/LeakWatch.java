package dev.oneengine.work;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after transactions that somebody must end by hand. One that is open for too long is reported with the place where it
 * was begun; one whose thread has died can be ended by nobody, so it is rolled back. Thread-safe.
 */
final class LeakWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LeakWatch.class);

    /** For the whole process; its thread is a daemon, and there only while there is something to watch. */
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final Unit unit;

    private final long begin = System.nanoTime();
    private final long limitNanos;

    /** Not thrown: its stack is the place. */
    private final Throwable place;

    /** Of the timer's thread alone. */
    private boolean reported;

    /** Of the thread that watches. */
    private @Nullable Future<?> task;

    private LeakWatch(Unit unit, long limitNanos) {
        this.unit = unit;
        this.limitNanos = limitNanos;
        this.place = new Throwable("It was begun here");
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "one-engine leak watch");
            thread.setDaemon(true);
            thread.setContextClassLoader(null); // not that of whoever happens to come first
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /**
     * Begins to watch.
     *
     * @return what to stop in time, or {@code null} if nobody wants to know
     */
    static @Nullable LeakWatch begin(Unit unit) {
        Duration after = unit.settings().leakAfter();
        if (after.isZero()) {
            return null;
        }
        long nanos = Durations.nanos(after);
        LeakWatch watch = new LeakWatch(unit, nanos);
        watch.task = TIMER.scheduleWithFixedDelay(watch::look, nanos, nanos, TimeUnit.NANOSECONDS);
        return watch;
    }

    /** Whether it was left open for longer than allowed. */
    boolean isOverdue() {
        return System.nanoTime() - begin >= limitNanos;
    }

    /** Where it was begun, as the stack of something that is not thrown. */
    Throwable place() {
        return place;
    }

    /** The line of the caller's code that began it. */
    String line() {
        return Arrays.stream(place.getStackTrace())
                .dropWhile(LeakWatch::isNoBegin)
                .skip(1)
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("an unknown place"); // such as with -XX:-StackTraceInThrowable
    }

    private static boolean isNoBegin(StackTraceElement frame) {
        return !frame.getMethodName().equals("begin") || !frame.getClassName().equals(UnitOfWork.class.getName());
    }

    void stop() {
        Future<?> scheduled = task;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }

    /** How many are being watched, for tests. */
    static int watched() {
        return TIMER.getQueue().size();
    }

    /** Rolls back a unit that nobody can end, as its transaction is garbage. */
    static void rollBackDropped(Unit unit, Throwable place) {
        unit.rollback(place);
        Throwables.log(() -> LOG.warn(
                "A unit of work on {} was left open in thread {}, and its transaction dropped; it was rolled back: close it",
                unit.url(),
                unit.owner().getName(),
                place));
    }

    private void look() {
        Thread owner = unit.owner();
        boolean alive = owner.isAlive(); // before the next question: it may end the unit, and then die
        if (unit.hasEnded()) {
            throw new CancellationException("There is nothing to watch any more");
        }
        if (!alive) {
            unit.rollback(place);
            Throwables.log(() -> LOG.warn(
                    "A unit of work on {} was left open by thread {}, which is no more; it was rolled back: close it",
                    unit.url(),
                    owner.getName(),
                    place));
        } else if (!reported) {
            reported = true;
            Throwables.log(() -> LOG.warn(
                    "A unit of work on {} is open for more than {} in thread {}: commit or close it",
                    unit.url(),
                    unit.settings().leakAfter(),
                    owner.getName(),
                    place));
        }
    }
}
