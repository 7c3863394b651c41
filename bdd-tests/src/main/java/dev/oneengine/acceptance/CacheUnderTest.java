package dev.oneengine.acceptance;

import java.nio.file.Path;

/** A cache of engines under test. Thread-safe. */
public interface CacheUnderTest {
    /**
     * Returns the engine of a database, and creates it if there is none.
     *
     * @param url a URL from {@link Implementation#database}: by default {@code jdbc:sqlite:file:NAME?mode=memory} or
     *     {@code sqlite:///:memory:} for databases in memory; with {@link Ability#FILES} also {@code jdbc:sqlite:PATH}, with
     *     {@link Ability#POSTGRESQL} also {@code postgresql://USER@HOST:PORT/DATABASE}
     * @return the engine
     * @throws Exception if it cannot be created
     */
    EngineUnderTest engine(String url) throws Exception;

    /**
     * Identifies the cache. Scenarios let other threads take its lock.
     *
     * @return {@link Identity#of} the cache that users of the implementation hold
     */
    Identity identity();

    /**
     * Closes the engine of a database and removes it from the cache. May ignore an engine that is being created.
     *
     * @param url as for {@link #engine}
     * @throws Exception if that fails
     * @see Ability#EVICTION
     */
    default void evict(String url) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.evict");
    }

    /**
     * Returns units of work on the engine of a database.
     *
     * @param url as for {@link #engine}
     * @return units that take their engine from this cache
     * @throws Exception if they cannot be created
     * @see Ability#UNITS_OF_WORK
     */
    default WorkUnderTest work(String url) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.work");
    }

    /**
     * Returns units of work that migrate their database before the first unit runs.
     *
     * @param url as for {@link #engine}
     * @param scripts a folder of scripts in SQL, {@code V1__NAME.sql}, {@code V2__NAME.sql} and so on
     * @return units that take their engine from this cache
     * @throws Exception if they cannot be created
     * @see Ability#MIGRATIONS
     */
    default WorkUnderTest work(String url, Path scripts) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.work with scripts");
    }

    /**
     * Returns a migration runner on the engine of a database.
     *
     * @param url as for {@link #engine}
     * @param scripts a folder of scripts in SQL, {@code V1__NAME.sql}, {@code V2__NAME.sql} and so on
     * @return a runner that takes its engine from this cache
     * @throws Exception if it cannot be created
     * @see Ability#MIGRATIONS
     */
    default MigrationsUnderTest migrations(String url, Path scripts) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.migrations");
    }

    /**
     * Closes all engines. A second call must do nothing and throw nothing.
     *
     * @throws Exception if that fails
     * @see Ability#CLOSING
     */
    void close() throws Exception;

    /**
     * Releases the adapter's own resources, such as a process. Called when the scenario is over and the cache is closed.
     *
     * @throws Exception if that fails, which fails the scenario
     */
    default void release() throws Exception {}

    /**
     * Returns diagnostics for a failure. The kit adds them to the report of a failed scenario.
     *
     * @return any text, or an empty one
     */
    default String diagnostics() {
        return "";
    }
}
