package dev.oneengine.work;

/**
 * What to do in a transaction. It may run several times, once for each attempt.
 *
 * @param <X> what it throws beside unchecked exceptions
 */
@FunctionalInterface
public interface TransactionAction<X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction the transaction, for this thread and until this method returns
     * @throws X to roll back
     */
    void run(Transaction transaction) throws X;
}
