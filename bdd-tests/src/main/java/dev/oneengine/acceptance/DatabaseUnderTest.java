package dev.oneengine.acceptance;

/** A database that a scenario uses through the cache under test. Immutable and thread-safe. */
public interface DatabaseUnderTest {
    /**
     * Returns the URL that the scenario passes to the cache.
     *
     * @return a URL that contains the name of the database, unless it is {@link DatabaseKind#NAMELESS}
     */
    String url();

    /**
     * Returns the query that lists the tables of the database.
     *
     * @return SQL whose rows are the names of all tables that a user has created
     */
    String tablesQuery();

    /**
     * Counts the open connections to the database. Only databases of a server are asked.
     *
     * @return the number of connections that the server knows
     * @throws Exception if the server does not answer
     */
    default int connections() throws Exception {
        throw new UnsupportedOperationException("DatabaseUnderTest.connections");
    }

    /**
     * Deletes the database at the end of its scenario. The kit itself deletes the folder of the scenario.
     *
     * @throws Exception if that fails
     */
    default void delete() throws Exception {}
}
