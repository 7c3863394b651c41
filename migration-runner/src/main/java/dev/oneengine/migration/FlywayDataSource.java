package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one Flyway instance. One instance first reads and then migrates, because creating a second instance takes longer than
 * a small run. Flyway leaves connections open if it fails early, and {@link #close} closes them. Confined to its thread.
 */
final class FlywayDataSource extends ConnectionOnlyDataSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlywayDataSource.class);

    private final IdentityHashMap<Connection, Connection> open = new IdentityHashMap<>();
    private DataSource source;

    FlywayDataSource(DataSource source) {
        this.source = source;
    }

    /** Takes all further connections from another source. */
    void switchTo(DataSource other) {
        source = other;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        open.put(connection, connection);
        return new ForwardingConnection(connection) {
            @Override
            public boolean isClosed() {
                return !open.containsKey(connection); // Flyway would not close the connection if this call failed
            }

            @Override
            public void close() throws SQLException {
                open.remove(connection); // the pool must not get the connection back twice
                connection.close();
            }
        };
    }

    /** Closes all connections that Flyway has left open. This source can be used again. */
    @Override
    public void close() {
        List<Connection> left = List.copyOf(open.keySet());
        open.clear();
        for (Connection connection : left) {
            try {
                connection.close();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("Cannot close a connection that Flyway has left open", e);
            }
        }
    }
}
