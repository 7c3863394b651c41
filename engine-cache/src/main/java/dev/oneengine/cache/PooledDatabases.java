package dev.oneengine.cache;

import java.sql.SQLException;

/** Selects the {@link PooledDatabase} of a URL. Stateless and thread-safe. */
final class PooledDatabases {
    private PooledDatabases() {}

    /**
     * Prepares a database; opens no connection.
     *
     * @throws IllegalArgumentException if the database is unsupported, or a parameter of its URL is unknown
     * @throws IllegalStateException if the driver is missing
     */
    static PooledDatabase of(DatabaseUrl url, EngineSettings settings) throws SQLException {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new MemoryDatabase(url, settings);
            case SQLITE_FILE -> new FileDatabase(url, settings);
            case POSTGRESQL -> new PostgresDatabase(url, settings);
            case OTHER ->
                throw new IllegalArgumentException(
                        "EngineFactory.pooled() opens only SQLite and PostgreSQL; create the cache with an EngineFactory for"
                                + " this database");
        };
    }
}
