package dev.oneengine.cache;

/**
 * What a cache has done so far. Immutable; taken while threads are busy, the numbers may be of slightly different moments.
 *
 * @param created engines created
 * @param hits calls that found their engine open; 0 unless the cache counts them, see {@link EngineCache#countHits}
 * @param waits calls that waited for the engine that another thread was creating, whether that succeeded or not
 * @param failures attempts to create an engine that failed
 * @param evictions engines closed one by one, by {@link EngineCache#evict} or {@link Engine#close}
 */
public record EngineCacheStats(long created, long hits, long waits, long failures, long evictions) {}
