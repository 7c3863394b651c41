package dev.oneengine.cache;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The connections of an {@link Engine}, opened by an {@link EngineFactory}.
 *
 * <p>The engine calls {@link #close} at most once, from any thread. {@link #dataSource} must be thread-safe.
 */
public interface EngineSource extends AutoCloseable {
    /** {@return the connections; always the same, thread-safe data source} */
    DataSource dataSource();

    /**
     * Closes all connections.
     *
     * @throws SQLException if that fails; all other connections are closed
     */
    @Override
    void close() throws SQLException;
}
