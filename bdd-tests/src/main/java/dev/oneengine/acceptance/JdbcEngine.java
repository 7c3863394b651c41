package dev.oneengine.acceptance;

import java.sql.SQLException;
import javax.sql.DataSource;

/** An engine under test that has a {@link DataSource}. Thread-safe. */
record JdbcEngine(Identity identity, DataSource dataSource, AutoCloseable closing) implements EngineUnderTest {
    @Override
    public ConnectionUnderTest connect() throws SQLException {
        return JdbcConnection.open(dataSource);
    }

    @Override
    public void close() throws Exception {
        closing.close();
    }
}
