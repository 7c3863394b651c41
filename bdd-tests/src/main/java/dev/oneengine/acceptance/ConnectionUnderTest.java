package dev.oneengine.acceptance;

import java.util.List;

/**
 * A connection of an engine under test: the few operations that scenarios need. {@link JdbcConnection} adapts JDBC.
 *
 * <p>Confined to its thread.
 */
public interface ConnectionUnderTest {
    /**
     * Runs one SQL statement.
     *
     * @param sql a statement without parameters
     * @return the first column of all rows as text; empty for a statement without rows
     * @throws Exception if the statement fails
     */
    List<String> sql(String sql) throws Exception;

    /**
     * Begins a transaction that will write; on SQLite, with {@code BEGIN IMMEDIATE}.
     *
     * @throws Exception if that fails
     */
    void begin() throws Exception;

    /**
     * Commits the transaction.
     *
     * @throws Exception if that fails
     */
    void commit() throws Exception;

    /**
     * Rolls the transaction back.
     *
     * @throws Exception if that fails
     */
    void rollback() throws Exception;

    /**
     * Ends the transaction by switching to auto-commit, where the database library has that mode. By default, commits.
     *
     * @throws Exception if that fails
     * @see Ability#GUARDED_TRANSACTIONS
     */
    default void switchToAutoCommit() throws Exception {
        commit();
    }

    /**
     * Returns the connection to its engine, which rolls back an open transaction.
     *
     * @throws Exception if that fails
     */
    void close() throws Exception;
}
