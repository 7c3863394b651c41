package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the counters of a cache. Stateless and thread-safe. */
final class Counts {
    private Counts() {}

    static void assertCounts(EngineCache cache, long created, long hits, long waits, long failures, long evictions) {
        EngineCacheStats stats = cache.stats();
        assertThat(stats)
                .hasToString("created " + created + ", hits " + hits + ", waits " + waits + ", failures " + failures
                        + ", evictions " + evictions);
        assertThat(stats)
                .extracting(
                        EngineCacheStats::created,
                        EngineCacheStats::hits,
                        EngineCacheStats::waits,
                        EngineCacheStats::failures,
                        EngineCacheStats::evictions)
                .containsExactly(created, hits, waits, failures, evictions);
    }
}
