package dev.oneengine.cache;

/**
 * Opens the connections of engines. An {@link EngineCache} calls its factory once for each database, however many threads race, and for
 * several databases at the same time. Implementations must be thread-safe.
 *
 * <p>The factory runs outside all locks. It may call the cache for other databases, but not for its own.
 */
@FunctionalInterface
public interface EngineFactory {
    /**
     * Opens the connections of a database.
     *
     * @param url the database
     * @param settings the settings of the engine
     * @return the connections, ready for use; {@code null} is a failure
     * @throws Exception if that fails; the factory must close what it has opened
     */
    EngineSource open(DatabaseUrl url, EngineSettings settings) throws Exception;

    /** {@return the default factory, a HikariCP pool on SQLite or PostgreSQL; stateless and thread-safe} */
    static EngineFactory pooled() {
        return PooledEngineSource::open;
    }
}
