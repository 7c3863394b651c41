package dev.oneengine.acceptance;

import java.util.List;
import javax.sql.DataSource;

/** An engine under test: one database and its connections. Thread-safe. */
public interface EngineUnderTest {
    /**
     * Adapts an engine that has a {@link DataSource}. For the abilities that need a further method, implement this interface.
     *
     * @param engine the engine that users of the implementation hold
     * @param dataSource the connections of the engine
     * @param closing closes the engine
     * @return its adapter
     */
    static EngineUnderTest of(Object engine, DataSource dataSource, AutoCloseable closing) {
        return new JdbcEngine(Identity.of(engine), dataSource, closing);
    }

    /**
     * Identifies the engine. Two adapters with equal identities stand for the same engine.
     *
     * @return {@link Identity#of} the engine that users of the implementation hold
     */
    Identity identity();

    /**
     * Takes a connection from the engine. With JDBC: {@code JdbcConnection.open(dataSource)}.
     *
     * @return an open connection; an engine can have at least four at a time
     * @throws Exception if there is no connection
     */
    ConnectionUnderTest connect() throws Exception;

    /**
     * Runs one SQL statement on a connection of the engine and commits it.
     *
     * @param sql a statement without parameters
     * @return as for {@link ConnectionUnderTest#sql}
     * @throws Exception if the statement fails
     */
    default List<String> sql(String sql) throws Exception {
        ConnectionUnderTest connection = connect();
        try {
            return connection.sql(sql);
        } finally {
            connection.close();
        }
    }

    /**
     * Closes the engine.
     *
     * @throws Exception if that fails
     */
    void close() throws Exception;

    /**
     * Checks whether the engine is closed or closing.
     *
     * @return {@code true} from the moment the closing begins
     * @see Ability#EVICTION
     * @see Ability#CLOSING
     */
    default boolean isClosed() {
        throw new UnsupportedOperationException("EngineUnderTest.isClosed");
    }

    /**
     * Closes all idle connections, as the housekeeping of a pool does. Returns when they are closed.
     *
     * @throws Exception if that fails
     * @see Ability#HOUSEKEEPING
     */
    default void closeIdleConnections() throws Exception {
        throw new UnsupportedOperationException("EngineUnderTest.closeIdleConnections");
    }
}
