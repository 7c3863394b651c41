package dev.oneengine.work;

import dev.oneengine.cache.internal.Throwables;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * A nested transaction: a function that runs after a savepoint. If it fails, it is rolled back to the savepoint, and the unit can go on.
 * Confined to the unit's thread.
 */
final class NestedTransaction {
    private final Unit unit;
    private final RollbackScope scope;
    private final Savepoint savepoint;

    private NestedTransaction(Unit unit) {
        this.unit = unit;
        this.savepoint = setSavepoint(unit);
        this.scope = new RollbackScope(unit.scope(), unit.hooks.size());
    }

    static <R extends @Nullable Object, X extends Exception> R run(Unit unit, TransactionFunction<R, X> function)
            throws X {
        return new NestedTransaction(unit).run(function);
    }

    private <R extends @Nullable Object, X extends Exception> R run(TransactionFunction<R, X> function) throws X {
        Transaction transaction = new Transaction(unit, TransactionRole.NESTED, scope);
        R result;
        boolean commit;
        try {
            unit.enterScope(scope);
            result = transaction.apply(function);
            unit.requireOpen();
            commit = unit.mayCommit("The nested transaction of the unit of work");
        } catch (Throwable t) {
            if (!unit.hasEnded()) {
                rollBack(t);
            }
            throw t;
        }
        if (commit) {
            release();
        } else {
            rollBack(null);
        }
        return result;
    }

    private static Savepoint setSavepoint(Unit unit) {
        try {
            return unit.control.setSavepoint();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot begin a nested transaction in the unit of work on " + unit.url() + ": "
                            + Throwables.message(e),
                    e);
        } catch (RuntimeException | Error e) {
            unit.broken(e);
            throw e;
        }
    }

    private void release() {
        try {
            unit.control.releaseSavepoint(savepoint);
            unit.leaveScope(scope);
        } catch (SQLException e) {
            TransactionException failure = new TransactionException(
                    "Cannot complete a nested transaction in the unit of work on " + unit.url()
                            + ", which was rolled back: " + Throwables.message(e),
                    e);
            rollBack(failure);
            throw failure;
        } catch (RuntimeException | Error e) {
            unit.leaveScope(scope);
            unit.broken(e);
            throw e;
        }
    }

    /** Rolls back to the savepoint. If that fails, the state of the transaction is unknown, and all of the unit is doomed. */
    private void rollBack(@Nullable Throwable failure) {
        unit.leaveScope(scope);
        unit.hooks.rolledBackTo(scope.hooksBefore());
        unit.lease.rolledBack(scope);
        try {
            unit.control.rollBackTo(savepoint);
        } catch (Throwable t) {
            unit.doomAll(failure == null ? t : failure);
            if (!(t instanceof SQLException)) {
                unit.lease.breakConnection(t);
            }
            if (failure == null) {
                throw new TransactionException(
                        "Cannot roll back a nested transaction in the unit of work on " + unit.url() + ": "
                                + Throwables.message(t),
                        t);
            }
            Throwables.suppress(failure, t);
        }
    }
}
