package dev.oneengine.cache;

/**
 * The counters of an {@link EngineCache} at one moment. While other threads use the cache, the counters may be of slightly different
 * moments.
 *
 * <p>Immutable and thread-safe.
 */
public final class EngineCacheStats {
    private final long created;
    private final long hits;
    private final long waits;
    private final long failures;
    private final long evictions;

    EngineCacheStats(CacheCounters counters) {
        this.created = counters.created.get();
        this.hits = counters.hits.sum();
        this.waits = counters.waits.sum();
        this.failures = counters.failures.sum();
        this.evictions = counters.evictions.sum();
    }

    /** {@return the number of engines created} */
    public long created() {
        return created;
    }

    /** {@return the number of calls that found an open engine; 0 unless {@link EngineCache#countHits} was called} */
    public long hits() {
        return hits;
    }

    /** {@return the number of calls that waited while another thread created the engine, successfully or not} */
    public long waits() {
        return waits;
    }

    /** {@return the number of attempts to create an engine that failed} */
    public long failures() {
        return failures;
    }

    /** {@return the number of engines closed one by one, by {@link EngineCache#evict} or {@link Engine#close}} */
    public long evictions() {
        return evictions;
    }

    @Override
    public String toString() {
        return "created " + created + ", hits " + hits + ", waits " + waits + ", failures " + failures + ", evictions "
                + evictions;
    }
}
