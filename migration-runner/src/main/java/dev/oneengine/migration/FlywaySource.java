package dev.oneengine.migration;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
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
        return (Connection) Proxy.newProxyInstance(
                FlywaySource.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        open.remove(connection); // a pool must not get it back twice
                    }
                    return OneTransaction.call(connection, method, arguments);
                });
    }

    @Override
    public void close() {
        for (Connection connection : open.keySet()) {
            try {
                connection.close();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection that Flyway has left open could not be closed", e);
            }
        }
    }
}
