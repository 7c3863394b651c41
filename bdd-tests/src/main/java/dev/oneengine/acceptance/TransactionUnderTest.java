package dev.oneengine.acceptance;

import dev.oneengine.acceptance.WorkUnderTest.Body;
import java.util.function.Function;

/** A transaction of a unit of work under test. Confined to the thread of the unit. */
public interface TransactionUnderTest {
    /**
     * Returns the connection of the transaction.
     *
     * @return a connection that the unit commits or rolls back, and returns at its end
     * @throws Exception if the caller must not use it, for example in another thread
     */
    ConnectionUnderTest connection() throws Exception;

    /**
     * Runs a nested transaction. It may fail while the rest of the unit goes on.
     *
     * @param body the work of the nested transaction
     * @throws Exception what the body throws
     * @see Ability#SAVEPOINTS
     */
    default void nested(Body body) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.nested");
    }

    /**
     * Adds a hook that runs once the whole unit is committed. It does not run if only this nested transaction is rolled back.
     *
     * @param hook may begin another unit
     * @throws Exception if that fails
     * @see Ability#HOOKS
     */
    default void afterCommit(Runnable hook) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.afterCommit");
    }

    /**
     * Adds a hook that runs once the unit is rolled back. If only this nested transaction is rolled back, the hook runs at the
     * end of the whole unit.
     *
     * @param hook may begin another unit
     * @throws Exception if that fails
     * @see Ability#HOOKS
     */
    default void afterRollback(Runnable hook) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.afterRollback");
    }

    /**
     * Returns the only repository of a type in this transaction, and creates it on the first call.
     *
     * @param type the type
     * @param factory creates the repository from the connection of the transaction
     * @param <T> the type
     * @return always the same in one transaction
     * @throws Exception if that fails
     * @see Ability#REPOSITORIES
     */
    default <T> T repository(Class<T> type, Function<ConnectionUnderTest, T> factory) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.repository");
    }
}
