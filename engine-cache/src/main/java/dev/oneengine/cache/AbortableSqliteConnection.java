package dev.oneengine.cache;

import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A connection whose {@link #abort} does something. The driver's own does nothing, so a pool that is closed while connections
 * are in use, and aborts these, would leave each of them open for ever, with its file and its locks.
 *
 * <p>For one thread at a time, but for {@link #abort}, as JDBC wants it.
 */
final class AbortableSqliteConnection extends JDBC4Connection {
    private static final Logger LOG = LoggerFactory.getLogger(AbortableSqliteConnection.class);

    AbortableSqliteConnection(String jdbcUrl, String address, Properties properties) throws SQLException {
        super(jdbcUrl, address, properties);
    }

    /** Interrupts the statement that runs, since closing waits for its end, and closes. */
    @Override
    public void abort(Executor executor) throws SQLException {
        executor.execute(() -> {
            try {
                if (!isClosed()) {
                    getDatabase().interrupt();
                    close();
                }
            } catch (SQLException e) {
                LOG.warn("A connection to {} could not be closed", getUrl(), e);
            }
        });
    }
}
