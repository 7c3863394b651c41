package dev.oneengine.work;

import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a unit of work, as its participants see it. They can work in it and register hooks, but only the owner of the
 * unit ends it.
 *
 * <p>Usable until its function returns, or until {@link #commit} or {@link #close}. Any later use, and any use by another thread, fails
 * with a {@link TransactionException}. Confined to its thread.
 */
public final class Transaction implements AutoCloseable {
    private final Unit unit;
    private final TransactionRole role;
    private final RollbackScope scope;
    private @Nullable LeakWatch leakWatch;
    private boolean ended;

    Transaction(Unit unit, TransactionRole role, RollbackScope scope) {
        this.unit = unit;
        this.role = role;
        this.scope = scope;
    }

    static Transaction ofNewUnit(Unit unit) {
        try {
            return new Transaction(unit, TransactionRole.MANUAL_UNIT, unit.scope()).watched();
        } catch (Throwable t) {
            unit.rollback(t); // no caller could end it
            throw t;
        }
    }

    /** Reports this transaction if its caller does not end it. */
    Transaction watched() {
        leakWatch = unit.watch(this, role == TransactionRole.MANUAL_UNIT);
        return this;
    }

    /**
     * Returns the connection of this transaction, for JDBC and for every tool that uses a {@link Connection}.
     *
     * <p>The connection rejects a commit, a rollback, a close and a change of its mode with an {@link java.sql.SQLException}, even if SQL
     * requests them. A rejected rollback also dooms the unit. Statements that are left open are closed at the end. All objects that the
     * connection returns, such as large objects and their streams, end with the unit and belong to its thread.
     *
     * <p>On PostgreSQL, {@code unwrap(PGConnection.class)} gives COPY and large objects of the driver. They take part in the transaction
     * in the same way.
     *
     * @return always the same connection
     */
    public Connection connection() {
        requireUsable();
        return unit.connection();
    }

    /**
     * Returns a data source that gives out the {@link #connection}, for tools such as Spring's JdbcTemplate.
     *
     * @return a data source; closing a connection from it has no effect on this transaction
     */
    public DataSource dataSource() {
        requireUsable();
        return new TransactionDataSource(unit.guard);
    }

    /**
     * Returns the repository of a type, and creates it on the first call. A unit of work has one repository of each type.
     *
     * @param type the type of the repository
     * @param factory creates the repository from the connection of this transaction; usually a constructor
     * @param <T> the type of the repository
     * @param <X> the exception of the factory
     * @return always the same repository
     * @throws X if the factory throws it
     */
    public <T, X extends Exception> T repository(Class<T> type, RepositoryFactory<? extends T, X> factory) throws X {
        requireUsable();
        return unit.repositories().get(type, factory, unit.connection());
    }

    /**
     * Runs work in a nested transaction. If the work fails, it is rolled back to a savepoint, and this transaction goes on.
     *
     * @param action the work; the caller may catch its exception
     * @param <X> the exception of the action
     * @throws X if the action throws it
     * @throws RollbackOnlyException if the exception of a joined call, or on PostgreSQL of a statement, was swallowed in the work
     */
    public <X extends Exception> void nested(TransactionAction<X> action) throws X {
        nestedCall(withoutResult(action));
    }

    /**
     * Runs work in a nested transaction, like {@link #nested}, and returns its result.
     *
     * @param function the work
     * @param <R> the type of the result
     * @param <X> the exception of the function
     * @return the result of the function
     * @throws X if the function throws it
     */
    public <R extends @Nullable Object, X extends Exception> R nestedCall(TransactionFunction<R, X> function) throws X {
        requireUsable();
        return NestedTransaction.run(unit, function);
    }

    /**
     * Runs work in an independent unit, on another connection. It is committed even if this unit is rolled back, and does not see the
     * uncommitted changes of this unit. Use it rarely, such as for a log of failures.
     *
     * <p>On PostgreSQL the call blocks if it needs a row that this unit has changed. If a hook of the independent unit begins a unit, that
     * unit joins this one, which is still open. A retry of this unit repeats the independent unit.
     *
     * @param action the work
     * @param <X> the exception of the action
     * @throws X if the action throws it; this transaction goes on
     * @throws TransactionException at once, if the unit would block for ever: this thread already is the only writer of
     * SQLite, or all connections are held by threads that wait for a second one
     */
    public <X extends Exception> void independent(TransactionAction<X> action) throws X {
        independentCall(withoutResult(action));
    }

    /**
     * Runs work in an independent unit, like {@link #independent}, and returns its result.
     *
     * @param function the work
     * @param <R> the type of the result
     * @param <X> the exception of the function
     * @return the result of the function
     * @throws X if the function throws it
     */
    public <R extends @Nullable Object, X extends Exception> R independentCall(TransactionFunction<R, X> function)
            throws X {
        requireUsable();
        return RetryLoop.run(unit.engine, unit.settings, function, false);
    }

    /**
     * Runs the function that this transaction is for, and ends this transaction. Replaces an {@link AfterCommitException} of another
     * unit: this unit is rolled back, not committed.
     */
    <R extends @Nullable Object, X extends Exception> R apply(TransactionFunction<R, X> function) throws X {
        try {
            return function.apply(this);
        } catch (AfterCommitException e) {
            throw new TransactionException(
                    "The " + (role == TransactionRole.NESTED ? "nested transaction of the " : "") + "unit of work on "
                            + unit.url() + " is rolled back, because a hook of another unit failed: " + e.getMessage(),
                    e);
        } finally {
            end();
        }
    }

    static <X extends Exception> TransactionFunction<Boolean, X> withoutResult(TransactionAction<X> action) {
        Objects.requireNonNull(action, "action");
        return transaction -> {
            action.run(transaction);
            return true;
        };
    }

    /**
     * Registers a hook that runs after the unit of work is committed and its connection returned. It may begin another unit. If it fails,
     * the other hooks still run, and the caller gets an {@link AfterCommitException}.
     *
     * @param hook the hook; dropped if the unit, or the current nested transaction, is rolled back or retried
     */
    public void afterCommit(Runnable hook) {
        requireUsable();
        unit.hooks.add(hook, true);
    }

    /**
     * Registers a hook that runs after the end of the unit of work, if the current work was rolled back. It also runs if the connection
     * was lost during the commit. The work may then be committed.
     *
     * @param hook the hook; dropped if the current work is committed or retried
     */
    public void afterRollback(Runnable hook) {
        requireUsable();
        unit.hooks.add(hook, false);
    }

    /**
     * Requests a rollback at the end, without a failure. In the function of a unit or of a nested transaction, the result is returned as
     * usual. In a joined call, the owner of the unit gets a {@link RollbackOnlyException} at the end.
     */
    public void setRollbackOnly() {
        requireUsable();
        if (role.isJoined()) {
            scope.doom(new TransactionException(
                    "A joined call requested the rollback of the unit of work on " + unit.url(), null));
        } else {
            scope.requestRollback();
        }
    }

    /**
     * Returns whether this transaction can only end in a rollback.
     *
     * @return {@code true} if a joined call has failed, a rollback was requested, or PostgreSQL has aborted the transaction
     */
    public boolean isRollbackOnly() {
        requireUsable();
        return (scope == unit.scope() && unit.control.abortion() != null) || scope.isDoomedAnywhere();
    }

    /**
     * Returns whether the database rejects writes in this transaction.
     *
     * @return {@code true} in {@link UnitOfWork#read}
     */
    public boolean isReadOnly() {
        requireUsable();
        return unit.isReadOnly();
    }

    /**
     * Commits the unit that {@link UnitOfWork#begin} opened, or rolls it back if {@link #setRollbackOnly} was called. If
     * {@link UnitOfWork#begin} joined an open unit, marks the joined call as successful; the unit commits later.
     *
     * @throws RollbackOnlyException if a joined call, or on PostgreSQL a statement, failed; the unit is rolled back
     * @throws AfterCommitException if the unit was committed, but a hook failed
     * @throws TransactionException if the commit failed and the unit was rolled back, or this transaction belongs to a function
     */
    public void commit() {
        requireUsable();
        requireManual("commit", "it commits when the function returns");
        if (role == TransactionRole.MANUAL_JOIN) {
            end();
            scope.joinEnded();
            return;
        }
        if (unit.scope() != scope) {
            throw new TransactionException(
                    "Cannot commit the unit of work on " + unit.url()
                            + " within its nested transaction; commit it afterwards",
                    null);
        }
        unit.finish(true, null);
    }

    /**
     * Rolls back the unit that {@link UnitOfWork#begin} opened, or dooms the unit that it joined. Does nothing after {@link #commit} or
     * another close.
     *
     * @throws TransactionException if the rollback or a hook fails, or this transaction belongs to a function
     */
    @Override
    public void close() {
        if (role.isManual() && (ended || unit.hasEnded())) {
            end();
            return;
        }
        requireUsable();
        requireManual("close", "throw an exception, or call setRollbackOnly()");
        end();
        if (role == TransactionRole.MANUAL_JOIN) {
            scope.joinEnded();
            scope.doom(new TransactionException(
                    "A joined transaction of the unit of work on " + unit.url() + " was closed without commit()",
                    null));
            return;
        }
        unit.finish(false, null);
    }

    private void requireManual(String what, String instead) {
        if (!role.isManual()) {
            throw new TransactionException(
                    "A function must not " + what + " its unit of work on " + unit.url() + "; " + instead, null);
        }
    }

    private void requireUsable() {
        String reason = unit.refusalReason();
        if (reason == null && ended) {
            reason = "This transaction of the unit of work on " + unit.url()
                    + " has ended; use the one of the surrounding call";
        }
        if (reason != null) {
            throw new TransactionException(reason, null);
        }
    }

    /** Makes this transaction unusable. */
    private void end() {
        ended = true;
        LeakWatch watch = leakWatch;
        if (watch != null) {
            unit.unwatch(watch);
        }
    }

    @Override
    public String toString() {
        return "Transaction[" + unit.url() + ", thread " + unit.owner.getName() + (unit.hasEnded() ? ", ended]" : "]");
    }
}
