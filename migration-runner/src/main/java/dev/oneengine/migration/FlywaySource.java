package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
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

    private final List<Connection> given = new ArrayList<>();
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
        given.add(connection);
        return connection;
    }

    @Override
    public void close() {
        for (Connection connection : given) {
            try {
                if (!connection.isClosed()) {
                    connection.close();
                }
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection that Flyway has left open could not be closed", e);
            }
        }
    }
}
