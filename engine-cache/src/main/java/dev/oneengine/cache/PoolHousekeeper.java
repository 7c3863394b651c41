package dev.oneengine.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The scheduled tasks of one pool. A pool that fails in its constructor leaves its tasks behind, so this ends them.
 *
 * <p>All pools in memory share one thread: there may be thousands of them, and nothing can block it there. It ends when there are
 * none. Thread-safe.
 */
final class PoolHousekeeper extends ScheduledThreadPoolExecutor {
    static final ScheduledThreadPoolExecutor SHARED = shared();

    private final boolean isShared;

    /** The tasks on the shared thread. A pool in memory has one. */
    private final Set<Future<?>> tasks = ConcurrentHashMap.newKeySet();

    PoolHousekeeper(String poolName, boolean isShared) {
        super(1, new PoolThreadFactory(poolName + " housekeeper"), new DiscardPolicy());
        this.isShared = isShared;
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        if (!isShared) {
            return super.scheduleWithFixedDelay(command, initialDelay, delay, unit);
        }
        ScheduledFuture<?> task = SHARED.scheduleWithFixedDelay(command, initialDelay, delay, unit);
        tasks.add(task);
        return task;
    }

    /** Ends all tasks. */
    void end() {
        tasks.forEach(task -> task.cancel(false));
        shutdownNow();
    }
}
