package dev.oneengine.acceptance;

/** Units of work under test. Thread-safe. */
public interface WorkUnderTest {
    /**
     * Returns the identity of the engine that the units use.
     *
     * @return the same identity as {@link EngineUnderTest#identity}
     * @throws Exception if it cannot be created
     */
    Identity engine() throws Exception;

    /**
     * Runs a unit. Commits it if its body returns, and rolls it back if the body throws.
     *
     * @param body what is done in it
     * @throws Exception the exception of the body, itself or as a cause; or the failure to commit the unit
     */
    void run(Body body) throws Exception;

    /**
     * Runs a read-only unit: the database rejects changes.
     *
     * @param body what is done in it
     * @throws Exception as for {@link #run}
     * @see Ability#READ_ONLY
     */
    default void read(Body body) throws Exception {
        throw new UnsupportedOperationException("WorkUnderTest.read");
    }

    /**
     * Begins a transaction that the caller commits and closes.
     *
     * @return a transaction for this thread
     * @throws Exception if it could not begin
     * @see Ability#BEGIN_BY_HAND
     */
    default ByHand begin() throws Exception {
        throw new UnsupportedOperationException("WorkUnderTest.begin");
    }

    /** The work of a unit. */
    @FunctionalInterface
    interface Body {
        /**
         * Does the work.
         *
         * @param transaction the transaction of the unit
         * @throws Exception to roll the unit back
         */
        void run(TransactionUnderTest transaction) throws Exception;
    }

    /** A transaction that its caller ends. Confined to its thread. */
    interface ByHand extends TransactionUnderTest {
        /**
         * Commits.
         *
         * @throws Exception if that fails
         */
        void commit() throws Exception;

        /**
         * Ends the transaction. Rolls it back unless it was committed.
         *
         * @throws Exception if that fails
         */
        void close() throws Exception;
    }
}
