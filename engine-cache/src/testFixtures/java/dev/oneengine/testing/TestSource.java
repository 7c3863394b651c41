package dev.oneengine.testing;

import dev.oneengine.cache.EngineSource;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The connections of an engine, and how they are closed. */
public record TestSource(DataSource dataSource, AutoCloseable closing) implements EngineSource {
    /** Closes the connections. Any failure reaches the caller unchanged. */
    @Override
    public void close() throws SQLException {
        try {
            closing.close();
        } catch (Exception e) {
            TestSource.<SQLException>rethrow(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Exception> void rethrow(Exception failure) throws T {
        throw (T) failure;
    }
}
