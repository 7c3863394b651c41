package dev.oneengine.migration;

import dev.oneengine.cache.EngineSource;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A source that removes its database once its connections are closed. Thread-safe. */
final class ClosingSource implements EngineSource {
    private final EngineSource source;
    private final Removal removal;

    ClosingSource(EngineSource source, Removal removal) {
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
        Undo.onFailure(this::remove, () -> {
            source.close();
            return source;
        });
        remove();
    }

    private void remove() throws SQLException {
        try {
            removal.run();
        } catch (IOException e) {
            throw new SQLException("The database cannot be removed: " + e, e);
        }
    }
}
