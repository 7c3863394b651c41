package dev.oneengine.work;

/**
 * Work in a transaction, without a result. It may run several times, once for each attempt.
 *
 * @param <X> the checked exception of the work
 */
@FunctionalInterface
public interface TransactionAction<X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction the transaction, usable in this thread until this method returns
     * @throws X to roll back
     */
    void run(Transaction transaction) throws X;
}
