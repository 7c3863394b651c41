package dev.oneengine.acceptance;

import java.util.List;

/** A migration runner under test. Thread-safe. */
public interface MigrationsUnderTest {
    /**
     * Returns the identity of the engine that this runner migrates.
     *
     * @return the same identity as {@link EngineUnderTest#identity}
     * @throws Exception if it cannot be created
     */
    Identity engine() throws Exception;

    /**
     * Runs the pending scripts.
     *
     * @throws Exception if a script fails; its message, or that of a cause, names the script
     */
    void migrate() throws Exception;

    /**
     * Lists the pending scripts.
     *
     * @return their file names, in order
     * @throws Exception if the scripts or the database cannot be read
     */
    List<String> pending() throws Exception;

    /**
     * Lists all scripts, pending or not.
     *
     * @return a line for each script, in order; the line contains the file name
     * @throws Exception if the scripts or the database cannot be read
     */
    List<String> status() throws Exception;

    /**
     * Creates independent copies of a migrated database.
     *
     * @param number the number of copies, all of the same original
     * @return an engine for each copy, to be closed by the caller
     * @throws Exception if they cannot be created
     * @see Ability#FORKS
     */
    default List<EngineUnderTest> forks(int number) throws Exception {
        throw new UnsupportedOperationException("MigrationsUnderTest.forks");
    }
}
