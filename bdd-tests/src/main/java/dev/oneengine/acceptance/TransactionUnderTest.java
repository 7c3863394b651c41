package dev.oneengine.acceptance;

import dev.oneengine.acceptance.WorkUnderTest.Body;
import java.util.function.Function;

/** A transaction of a unit of work under test. For the thread of the unit. */
public interface TransactionUnderTest {
    /**
     * The connection of the transaction.
     *
     * @return a connection that the unit commits or rolls back and gives back in the end
     * @throws Exception if it must not be used, such as in another thread
     */
    ConnectionUnderTest connection() throws Exception;

    /**
     * Does a part that may fail while the rest goes on.
     *
     * @param body the part
     * @throws Exception what the body throws
     * @see Ability#SAVEPOINTS
     */
    default void nested(Body body) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.nested");
    }

    /**
     * Adds what is to run once the whole unit is committed. If only this nested part is rolled back, it does not run.
     *
     * @param hook may begin another unit
     * @throws Exception if that fails
     * @see Ability#HOOKS
     */
    default void afterCommit(Runnable hook) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.afterCommit");
    }

    /**
     * Adds what is to run once the unit is rolled back. If only this nested part is rolled back, it runs at the end of the whole
     * unit.
     *
     * @param hook may begin another unit
     * @throws Exception if that fails
     * @see Ability#HOOKS
     */
    default void afterRollback(Runnable hook) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.afterRollback");
    }

    /**
     * The one repository of a type in this transaction, made when it is first asked for.
     *
     * @param type the type
     * @param factory makes it from the connection of the transaction
     * @param <T> the type
     * @return always the same in one transaction
     * @throws Exception if that fails
     * @see Ability#REPOSITORIES
     */
    default <T> T repository(Class<T> type, Function<ConnectionUnderTest, T> factory) throws Exception {
        throw new UnsupportedOperationException("TransactionUnderTest.repository");
    }
}
