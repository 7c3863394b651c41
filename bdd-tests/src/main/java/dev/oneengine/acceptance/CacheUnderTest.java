package dev.oneengine.acceptance;

import java.nio.file.Path;

/** A cache of engines under test. Thread-safe. */
public interface CacheUnderTest {
    /**
     * Finds the engine of a database or creates it.
     *
     * @param url a URL from {@link Implementation#database}: by default {@code jdbc:sqlite:file:NAME?mode=memory} or
     *     {@code sqlite:///:memory:} for databases in memory; with {@link Ability#FILES} also {@code jdbc:sqlite:PATH}, with
     *     {@link Ability#POSTGRESQL} also {@code postgresql://USER@HOST:PORT/DATABASE}
     * @return the engine
     * @throws Exception if there is none to be had
     */
    EngineUnderTest engine(String url) throws Exception;

    /**
     * Identifies the cache, whose lock other threads may take.
     *
     * @return {@link Identity#of} the cache that users of the implementation hold
     */
    Identity identity();

    /**
     * Closes the engine of a database and forgets it. One that is just being created may be left alone.
     *
     * @param url as for {@link #engine}
     * @throws Exception if that fails
     * @see Ability#EVICTION
     */
    default void evict(String url) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.evict");
    }

    /**
     * Units of work on the engine of a database.
     *
     * @param url as for {@link #engine}
     * @return units that take their engine from this cache
     * @throws Exception if there are none to be had
     * @see Ability#UNITS_OF_WORK
     */
    default WorkUnderTest work(String url) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.work");
    }

    /**
     * Units of work that migrate their database before the first of them.
     *
     * @param url as for {@link #engine}
     * @param scripts a folder of scripts in SQL, {@code V1__NAME.sql}, {@code V2__NAME.sql} and so on
     * @return units that take their engine from this cache
     * @throws Exception if there are none to be had
     * @see Ability#MIGRATIONS
     */
    default WorkUnderTest work(String url, Path scripts) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.work with scripts");
    }

    /**
     * A migration runner on the engine of a database.
     *
     * @param url as for {@link #engine}
     * @param scripts a folder of scripts in SQL, {@code V1__NAME.sql}, {@code V2__NAME.sql} and so on
     * @return a runner that takes its engine from this cache
     * @throws Exception if there is none to be had
     * @see Ability#MIGRATIONS
     */
    default MigrationsUnderTest migrations(String url, Path scripts) throws Exception {
        throw new UnsupportedOperationException("CacheUnderTest.migrations");
    }

    /**
     * Closes all engines. To close it once more must do nothing and throw nothing.
     *
     * @throws Exception if that fails
     * @see Ability#CLOSING
     */
    void close() throws Exception;

    /**
     * Releases what the adapter itself holds, such as a process, when the scenario is over and the cache is closed.
     *
     * @throws Exception if that fails, which fails the scenario
     */
    default void release() throws Exception {}

    /**
     * Describes what the adapter knows about a failure. The kit adds the text to the report of a failed scenario.
     *
     * @return any text, or an empty one
     */
    default String diagnostics() {
        return "";
    }
}
