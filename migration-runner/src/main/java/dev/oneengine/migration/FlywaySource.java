package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one Flyway. It first reads and then migrates, because setting up another Flyway takes longer than a small run.
 * Flyway leaves connections open if it fails early; {@link #close} closes them. For one thread.
 */
final class FlywaySource extends ConnectionSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlywaySource.class);

    private final IdentityHashMap<Connection, Connection> open = new IdentityHashMap<>();
    private DataSource source;

    FlywaySource(DataSource source) {
        this.source = source;
    }

    void use(DataSource other) {
        source = other;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        open.put(connection, connection);
        return Proxies.of(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("isClosed")) {
                return !open.containsKey(connection); // if this failed, Flyway would not close it
            }
            if (method.getName().equals("close")) {
                open.remove(connection); // a pool must not get it back twice
            }
            return Proxies.call(connection, method, arguments);
        });
    }

    /** Closes what Flyway has left open. This source can be used again. */
    @Override
    public void close() {
        List<Connection> left = List.copyOf(open.keySet());
        open.clear();
        for (Connection connection : left) {
            try {
                connection.close();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection that Flyway has left open could not be closed", e);
            }
        }
    }
}
