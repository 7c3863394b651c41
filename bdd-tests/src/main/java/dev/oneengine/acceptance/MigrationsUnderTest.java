package dev.oneengine.acceptance;

import java.util.List;

/** A migration runner under test. Thread-safe. */
public interface MigrationsUnderTest {
    /**
     * The engine that it migrates.
     *
     * @return the same identity as {@link EngineUnderTest#identity}
     * @throws Exception if there is none to be had
     */
    Identity engine() throws Exception;

    /**
     * Runs the scripts that have not been run yet.
     *
     * @throws Exception if one fails; the message of it, or of a cause, names the script
     */
    void migrate() throws Exception;

    /**
     * Which scripts have not been run yet.
     *
     * @return their file names, in their order
     * @throws Exception if nobody knows
     */
    List<String> pending() throws Exception;

    /**
     * Which scripts there are, whether they have been run or not.
     *
     * @return a line for each that has its file name in it, in their order
     * @throws Exception if nobody knows
     */
    List<String> status() throws Exception;

    /**
     * Makes independent copies of a database that these scripts have migrated.
     *
     * @param number how many, all of the same original
     * @return an engine for each, for the caller to close
     * @throws Exception if there are none to be had
     * @see Ability#FORKS
     */
    default List<EngineUnderTest> forks(int number) throws Exception {
        throw new UnsupportedOperationException("MigrationsUnderTest.forks");
    }
}
