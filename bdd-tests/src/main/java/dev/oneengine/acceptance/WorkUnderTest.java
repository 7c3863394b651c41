package dev.oneengine.acceptance;

/** Units of work under test. Thread-safe. */
public interface WorkUnderTest {
    /**
     * The engine that the units run on.
     *
     * @return the same identity as {@link EngineUnderTest#identity}
     * @throws Exception if there is none to be had
     */
    Identity engine() throws Exception;

    /**
     * Runs a unit: commits it if its body comes to its end, rolls it back if the body throws anything.
     *
     * @param body what is done in it
     * @throws Exception what the body throws, itself or as a cause; or why the unit could not be committed
     */
    void run(Body body) throws Exception;

    /**
     * Runs a unit in which the database cannot be changed.
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

    /** What is done in a unit of work. */
    @FunctionalInterface
    interface Body {
        /**
         * Does it.
         *
         * @param transaction the transaction of the unit
         * @throws Exception to roll it back
         */
        void run(TransactionUnderTest transaction) throws Exception;
    }

    /** A transaction that its user ends. For one thread. */
    interface ByHand extends TransactionUnderTest {
        /**
         * Commits.
         *
         * @throws Exception if that fails
         */
        void commit() throws Exception;

        /**
         * Ends it, and rolls it back unless it was committed.
         *
         * @throws Exception if that fails
         */
        void close() throws Exception;
    }
}
