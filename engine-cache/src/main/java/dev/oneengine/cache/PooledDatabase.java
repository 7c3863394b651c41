package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import java.sql.SQLException;

/**
 * The differences between the databases that {@link EngineFactory#pooled} opens, one implementation for each. To add a database,
 * implement this interface and add a line to {@code PooledEngineSource.database}. Implementations are immutable and thread-safe.
 */
interface PooledDatabase {
    /** Returns the data source below the pool; always the same. */
    DriverDataSource driver();

    /** Adjusts the configuration of the pool. */
    void configure(HikariConfig config);

    /**
     * Opens the pool, and makes the first contact with the database before or after that.
     *
     * @param config the configuration of the pool, before the pool reads it
     * @param openPool opens the pool
     */
    void start(HikariConfig config, Runnable openPool) throws SQLException, InterruptedException;

    /** Closes everything but the connections of the driver, which are closed next. */
    default void close() throws SQLException {
        // Most databases have only those.
    }

    /** Whether nothing can block the housekeeping of this database's pool, so that all such pools can share one thread. */
    boolean sharesHousekeeper();

    /** Whether the connections must be closed before the pool, because the pool could wait for one of them. */
    boolean closesConnectionsFirst();
}
