package dev.oneengine.work;

import java.time.Duration;
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

    /** Not thrown: its stack is the place. */
    private final Throwable place;

    /** Of the timer's thread alone. */
    private boolean reported;

    private LeakWatch(Unit unit) {
        this.unit = unit;
        this.place = new Throwable("It was begun here");
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "one-engine leak watch");
            thread.setDaemon(true);
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
     * @return what to cancel in time, or {@code null} if nobody wants to know
     */
    static @Nullable Future<?> watch(Unit unit) {
        Duration after = unit.settings().leakAfter();
        if (after.isZero()) {
            return null;
        }
        long nanos = Durations.nanos(after);
        return TIMER.scheduleWithFixedDelay(new LeakWatch(unit)::look, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** How many are being watched, for tests. */
    static int watched() {
        return TIMER.getQueue().size();
    }

    private void look() {
        Thread owner = unit.owner();
        if (unit.hasEnded()) {
            throw new CancellationException("There is nothing to watch any more");
        }
        if (!owner.isAlive()) {
            LOG.warn(
                    "A unit of work on {} was left open by thread {}, which is no more; it is rolled back: close it",
                    unit.url(),
                    owner.getName(),
                    place);
            unit.rollback(place);
        } else if (!reported) {
            reported = true;
            unit.setOverdue();
            LOG.warn(
                    "A unit of work on {} is open for more than {} in thread {}: commit or close it",
                    unit.url(),
                    unit.settings().leakAfter(),
                    owner.getName(),
                    place);
        }
    }
}
