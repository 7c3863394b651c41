package dev.oneengine.work;

import org.jspecify.annotations.Nullable;

/**
 * What to do in a transaction, and to bring out of it. It may run several times, once for each attempt.
 *
 * @param <R> the result
 * @param <X> what it throws beside unchecked exceptions
 */
@FunctionalInterface
public interface TransactionFunction<R extends @Nullable Object, X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction the transaction, for this thread and until this method returns
     * @return the result
     * @throws X to roll back
     */
    R apply(Transaction transaction) throws X;
}
