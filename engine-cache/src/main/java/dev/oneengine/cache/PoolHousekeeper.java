package dev.oneengine.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The scheduled tasks of one pool. A pool whose constructor fails leaves its tasks behind; {@link #end} ends them.
 *
 * <p>All pools in memory share one thread, because there may be thousands of them and nothing blocks their tasks. The thread ends when
 * there are no such pools. Thread-safe.
 */
final class PoolHousekeeper extends ScheduledThreadPoolExecutor {
    static final ScheduledThreadPoolExecutor SHARED = shared();

    private final boolean isShared;

    /** The tasks on the shared thread. */
    private final Set<Future<?>> tasks = ConcurrentHashMap.newKeySet();

    PoolHousekeeper(String poolName, boolean isShared) {
        super(1, new PoolThreadFactory(poolName + " housekeeper"), new DiscardPolicy());
        this.isShared = isShared;
        setRemoveOnCancelPolicy(true);
    }

    private static ScheduledThreadPoolExecutor shared() {
        ScheduledThreadPoolExecutor executor =
                new ScheduledThreadPoolExecutor(1, new PoolThreadFactory("one-engine housekeeper"));
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(5, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Schedules a task. On the shared thread, it first runs after its period: HikariCP's short initial delay would wake that thread for
     * each new pool, although a new pool has nothing to keep.
     */
    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        if (!isShared) {
            return super.scheduleWithFixedDelay(command, initialDelay, delay, unit);
        }
        ScheduledFuture<?> task = SHARED.scheduleWithFixedDelay(command, delay, delay, unit);
        tasks.add(task);
        return task;
    }

    /** Ends all tasks. */
    void end() {
        tasks.forEach(task -> task.cancel(false));
        shutdownNow();
    }
}
