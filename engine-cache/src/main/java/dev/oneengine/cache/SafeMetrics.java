package dev.oneengine.cache;

import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import dev.oneengine.cache.internal.Throwables;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that cannot fail. A pool records metrics while it lends and takes back connections, and would lose a connection with each
 * exception. Logs the first failure. Thread-safe if the tracker is thread-safe.
 */
final class SafeMetrics implements IMetricsTracker {
    private static final Logger LOG = LoggerFactory.getLogger(SafeMetrics.class);

    private final String poolName;
    private final IMetricsTracker tracker;
    private final AtomicBoolean failed = new AtomicBoolean();

    private SafeMetrics(String poolName, IMetricsTracker tracker) {
        this.poolName = poolName;
        this.tracker = tracker;
    }

    static MetricsTrackerFactory of(MetricsTrackerFactory factory) {
        return (poolName, stats) -> new SafeMetrics(
                poolName,
                Objects.requireNonNull(factory.create(poolName, stats), "the MetricsTrackerFactory returned null"));
    }

    private void attempt(FailureCollector.Step recording) {
        try {
            recording.run();
        } catch (Throwable e) {
            Throwables.keepInterrupt(e);
            if (failed.compareAndSet(false, true)) {
                Throwables.log(
                        () -> LOG.warn("The metrics of {} failed; further failures are not logged", poolName, e));
            }
        }
    }

    @Override
    public void recordConnectionCreatedMillis(long millis) {
        attempt(() -> tracker.recordConnectionCreatedMillis(millis));
    }

    @Override
    public void recordConnectionAcquiredNanos(long nanos) {
        attempt(() -> tracker.recordConnectionAcquiredNanos(nanos));
    }

    @Override
    public void recordConnectionUsageMillis(long millis) {
        attempt(() -> tracker.recordConnectionUsageMillis(millis));
    }

    @Override
    public void recordConnectionTimeout() {
        attempt(tracker::recordConnectionTimeout);
    }

    /** Fails if the tracker fails: the pool calls this last when it closes, and closing reports failures. */
    @Override
    public void close() {
        tracker.close();
    }
}
