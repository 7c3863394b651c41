package dev.oneengine.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The live counters behind {@link EngineCacheStats}. Thread-safe. */
final class CacheCounters {
    /** Also numbers the engines, so that a cache can close them in reverse order. */
    final AtomicLong created = new AtomicLong();

    final LongAdder hits = new LongAdder();
    final LongAdder waits = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder evictions = new LongAdder();

    /** Off by default: counting costs several times as much as the hit itself. Not read by hits in the slots of the index. */
    private volatile boolean countsHits;

    void countHits() {
        countsHits = true;
    }

    void hit() {
        if (countsHits) {
            hits.increment();
        }
    }
}
