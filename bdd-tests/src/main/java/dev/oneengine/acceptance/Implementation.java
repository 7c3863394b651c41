package dev.oneengine.acceptance;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * An implementation under test. It creates caches and declares its optional abilities. A cache alone is enough.
 *
 * <p>The kit finds the implementation as a service of {@link java.util.ServiceLoader}, or {@link AcceptanceKit#use} selects it.
 * It must be thread-safe: scenarios run in parallel, each with its own cache.
 */
@FunctionalInterface
public interface Implementation {
    /**
     * Creates a cache.
     *
     * @param creation receives a report of each engine that this cache creates
     * @return a new, empty cache that shares no database in memory with another cache
     * @throws Exception if the cache cannot be created
     */
    CacheUnderTest cache(Creation creation) throws Exception;

    /**
     * Returns the abilities in addition to a cache. Scenarios that need any other ability are skipped.
     *
     * @return the abilities of the implementation; none by default
     */
    default Set<Ability> abilities() {
        return Set.of();
    }

    /**
     * Creates a database for a scenario. Override it to run the scenarios on other databases than those of the kit.
     *
     * @param kind the kind of database that the scenario needs
     * @param name a name that no other database has
     * @param folder a folder for files of the scenario
     * @return a new, empty database
     * @throws UnsupportedOperationException to skip the scenario, because there is no such database
     * @throws Exception if the database cannot be created
     */
    default DatabaseUnderTest database(DatabaseKind kind, String name, Path folder) throws Exception {
        return kind.create(name, folder);
    }

    /**
     * Returns the thread outside this JVM that runs the current call of a scenario's thread.
     *
     * @param thread a thread of the scenario
     * @return nothing for an implementation in this JVM
     */
    default Optional<RemoteThread> remoteThread(Thread thread) {
        return Optional.empty();
    }
}
