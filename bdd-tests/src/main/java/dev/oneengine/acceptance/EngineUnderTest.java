package dev.oneengine.acceptance;

import javax.sql.DataSource;

/** An engine under test: one database and its connections. Thread-safe. */
public interface EngineUnderTest {
    /**
     * The engine itself, which tells it from others: two of these are the same engine if this is the same object.
     *
     * @return always the same object
     */
    Object identity();

    /**
     * Where the connections come from.
     *
     * @return at least four connections at a time
     */
    DataSource dataSource();

    /**
     * Closes the engine.
     *
     * @throws Exception if that fails
     */
    void close() throws Exception;

    /**
     * Whether the engine is closed, or is being closed.
     *
     * @return {@code true} from the moment on at which its closing begins
     * @see Ability#EVICTION
     * @see Ability#CLOSING
     */
    default boolean isClosed() {
        throw new UnsupportedOperationException("isClosed");
    }

    /**
     * Begins to close the connections that nobody uses, as the housekeeping of a pool does by and by. They may be closed a
     * little later.
     *
     * @throws Exception if that fails
     * @see Ability#HOUSEKEEPING
     */
    default void closeIdleConnections() throws Exception {
        throw new UnsupportedOperationException("closeIdleConnections");
    }
}
