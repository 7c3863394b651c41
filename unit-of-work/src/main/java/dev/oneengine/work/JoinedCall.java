package dev.oneengine.work;

import dev.oneengine.cache.internal.Throwables;
import org.jspecify.annotations.Nullable;

/**
 * A call that joins the unit that is open in its thread. If it fails, the surrounding scope is rolled back, even if the exception is
 * swallowed. Stateless; confined to the unit's thread.
 */
final class JoinedCall {
    private JoinedCall() {}

    /** Joins the unit while a function runs. */
    static <R extends @Nullable Object, X extends Exception> R run(
            Unit unit, TransactionFunction<R, X> function, boolean reading) throws X {
        unit.requireJoinable(reading);
        RollbackScope scope = unit.scope();
        boolean switches = reading && !unit.isReadOnly();
        Transaction transaction = new Transaction(unit, TransactionRole.JOINED, scope);
        scope.joinBegan();
        try {
            if (switches) {
                unit.rejectWrites();
            }
            R result = transaction.apply(function);
            unit.requireOpen();
            if (switches) {
                unit.allowWrites();
            }
            return result;
        } catch (Throwable t) {
            scope.doom(t);
            if (switches && unit.isReadOnly() && !unit.hasEnded()) {
                allowWritesAfter(unit, t);
            }
            throw t;
        } finally {
            scope.joinEnded();
        }
    }

    private static void allowWritesAfter(Unit unit, Throwable failure) {
        try {
            unit.allowWrites();
        } catch (Throwable t) {
            Throwables.suppress(failure, t);
        }
    }

    /** Joins the unit until the caller commits or closes the transaction. */
    static Transaction open(Unit unit) {
        unit.requireJoinable(false);
        RollbackScope scope = unit.scope();
        Transaction transaction = new Transaction(unit, TransactionRole.MANUAL_JOIN, scope);
        scope.joinBegan();
        try {
            return transaction.watched();
        } catch (Throwable t) {
            transaction.close();
            throw t;
        }
    }
}
