package dev.oneengine.migration;

import dev.oneengine.cache.EngineSource;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The source of a database that is removed as soon as its connections are closed. Thread-safe. */
final class TemporaryDatabase implements EngineSource {
    private final EngineSource source;
    private final Removal removal;

    TemporaryDatabase(EngineSource source, Removal removal) {
        this.source = source;
        this.removal = removal;
    }

    /** Removes a database. */
    @FunctionalInterface
    interface Removal {
        void run() throws IOException, SQLException;
    }

    @Override
    public DataSource dataSource() {
        return source.dataSource();
    }

    @Override
    public void close() throws SQLException {
        Cleanup.onFailure(this::remove, () -> {
            source.close();
            return source;
        });
        remove();
    }

    private void remove() throws SQLException {
        try {
            removal.run();
        } catch (IOException e) {
            throw new SQLException("Cannot remove the database: " + e, e);
        }
    }
}
