package dev.oneengine.acceptance;

import java.nio.file.Path;
import java.util.Optional;
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
     * @return a new, empty cache that shares no database in memory with another cache
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

    /**
     * Creates a database for a scenario. Override it to run the scenarios on other databases than those of the kit.
     *
     * @param kind the kind of database that the scenario needs
     * @param name a name that no other database has
     * @param folder a folder for files of the scenario
     * @return a new, empty database
     * @throws UnsupportedOperationException to skip the scenario, as there is no such database
     * @throws Exception if the database cannot be created
     */
    default DatabaseUnderTest database(DatabaseKind kind, String name, Path folder) throws Exception {
        return kind.create(name, folder);
    }

    /**
     * Finds the thread that runs the current call of a thread of a scenario, if that is a thread outside this JVM.
     *
     * @param thread a thread of the scenario
     * @return nothing for an implementation in this JVM
     */
    default Optional<RemoteThread> remoteThread(Thread thread) {
        return Optional.empty();
    }
}
