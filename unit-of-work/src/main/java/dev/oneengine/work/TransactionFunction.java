package dev.oneengine.work;

import org.jspecify.annotations.Nullable;

/**
 * Work in a transaction, with a result. It may run several times, once for each attempt.
 *
 * @param <R> the type of the result
 * @param <X> the checked exception of the work
 */
@FunctionalInterface
public interface TransactionFunction<R extends @Nullable Object, X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction the transaction, usable in this thread until this method returns
     * @return the result
     * @throws X to roll back
     */
    R apply(Transaction transaction) throws X;
}
