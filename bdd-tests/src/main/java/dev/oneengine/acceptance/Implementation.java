package dev.oneengine.acceptance;

import java.util.Set;

/**
 * What is under test: makes caches, and says what else it has. A cache alone is enough.
 *
 * <p>The kit finds it as a service of {@link java.util.ServiceLoader}, or is given it with {@link AcceptanceKit#use}. It must be
 * thread-safe, as scenarios run in parallel, each with a cache of its own.
 */
@FunctionalInterface
public interface Implementation {
    /**
     * Makes a cache.
     *
     * @param creation to be told of each creation of an engine by this cache
     * @return a new, empty cache that shares no database in memory with any other
     * @throws Exception if there is none to be had
     */
    CacheUnderTest cache(Creation creation) throws Exception;

    /**
     * What there is beside a cache. Scenarios that need anything else are skipped.
     *
     * @return what the implementation offers; nothing unless overridden
     */
    default Set<Ability> abilities() {
        return Set.of();
    }
}
