package dev.oneengine.cache;

/**
 * Opens what stands behind an engine. {@link EngineCache} calls it once per URL however many threads race, and for
 * several URLs at the same time: implementations must be thread-safe.
 *
 * <p>It runs under no lock. It may ask the cache for the engines of other URLs, but not for its own.
 */
@FunctionalInterface
public interface EngineFactory {
    /**
     * Opens a database.
     *
     * @param url which
     * @param settings how
     * @return its connections, ready for use; {@code null} is a failure
     * @throws Exception if that fails; whatever was opened until then must be closed again
     */
    EngineSource open(DatabaseUrl url, EngineSettings settings) throws Exception;

    /**
     * The factory that a cache uses unless it is given another: a HikariCP pool on SQLite or PostgreSQL.
     *
     * @return a stateless, thread-safe factory
     */
    static EngineFactory pooled() {
        return PooledSource::open;
    }
}
