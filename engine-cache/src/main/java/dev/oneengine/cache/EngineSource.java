package dev.oneengine.cache;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What stands behind an {@link Engine}: the connections of one database, and how to let go of them.
 *
 * <p>The engine calls {@link #close} once at most, from any thread; {@link #dataSource} must be thread-safe.
 */
public interface EngineSource extends AutoCloseable {
    /**
     * Where the connections come from.
     *
     * @return always the same, thread-safe data source
     */
    DataSource dataSource();

    /**
     * Closes all connections.
     *
     * @throws SQLException if that fails; what could be closed is closed
     */
    @Override
    void close() throws SQLException;
}
