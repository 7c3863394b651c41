package dev.oneengine.work;

import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as its participants see it. They can use it and add to its end, but not bring that about: only whoever began
 * the unit of work can.
 *
 * <p>For the thread that began it, until the function that was given it returns, or until it is committed or closed. Any other
 * use is refused with a {@link TransactionException}.
 */
public final class Transaction implements AutoCloseable {
    private final Unit unit;
    private final Role role;
    private final Level level;
    private @Nullable LeakWatch leakWatch;
    private boolean ended;

    /** Who has it, and so what may be done with it. */
    enum Role {
        /** The function of a unit, which ends with it. */
        UNIT(false),
        /** The function of a part. */
        JOINED(false),
        /** The function of a nested part. */
        NESTED(false),
        /** Whoever called begin() and must end the unit. */
        OPEN_UNIT(true),
        /** Whoever called begin() within a unit and must end that part. */
        OPEN_PART(true);

        private final boolean endedByHand;

        Role(boolean endedByHand) {
            this.endedByHand = endedByHand;
        }

        /** Whether the transaction belongs to a unit that others opened. */
        private boolean isPart() {
            return this == JOINED || this == OPEN_PART;
        }
    }

    Transaction(Unit unit, Role role, Level level) {
        this.unit = unit;
        this.role = role;
        this.level = level;
    }

    /** Lets it be reported if nobody ends it. */
    void watch() {
        LeakWatch watch = LeakWatch.begin(unit);
        if (role == Role.OPEN_UNIT) {
            unit.setManual(this, watch);
        }
        if (watch != null) {
            unit.watches().add(watch);
            leakWatch = watch;
        }
    }

    /**
     * The connection of this transaction, for JDBC and every tool that wants a {@link Connection}.
     *
     * <p>It refuses to commit, to roll back, to be closed or switched, also by SQL, with an {@link java.sql.SQLException} that
     * says whose it is. A rollback that is refused also dooms the unit. Statements that are left open are closed at the end. All
     * objects that it gives end with the unit of work and belong to its thread, such as large objects and their streams.
     *
     * <p>On PostgreSQL {@code unwrap(PGConnection.class)} gives COPY and large objects of the driver, which take part in the
     * transaction in the same way.
     *
     * @return always the same connection
     */
    public Connection connection() {
        check();
        return unit.guard().connection();
    }

    /**
     * The connection of this transaction for tools that want a {@link DataSource}, such as Spring's JdbcTemplate.
     *
     * @return a data source that gives out the connection of this transaction; closing it does nothing
     */
    public DataSource dataSource() {
        check();
        return new TransactionDataSource(unit);
    }

    /**
     * The repository of a type in this transaction, made when it is first asked for. All parts of the transaction get the same.
     *
     * @param type the type of repository
     * @param factory makes it from the connection of this transaction, mostly its constructor
     * @param <T> the type of repository
     * @param <X> what the factory throws
     * @return always the same repository
     * @throws X if the factory does
     */
    public <T, X extends Exception> T repository(Class<T> type, RepositoryFactory<? extends T, X> factory) throws X {
        check();
        return unit.repository(type, factory);
    }

    /**
     * Does a part that may fail while the rest goes on: if it does, the database is rolled back to where the part began.
     *
     * @param action the part; what it throws comes out of this call, for the caller to catch
     * @param <X> what the action throws
     * @throws X if the action does
     * @throws RollbackOnlyException if a joined call, or on PostgreSQL a statement, failed in it and its exception was swallowed
     */
    public <X extends Exception> void nested(TransactionAction<X> action) throws X {
        nestedCall(withoutResult(action));
    }

    /**
     * Like {@link #nested}, with a result.
     *
     * @param function the part
     * @param <R> the result
     * @param <X> what the function throws
     * @return what the function returned
     * @throws X if the function does
     */
    public <R extends @Nullable Object, X extends Exception> R nestedCall(TransactionFunction<R, X> function) throws X {
        check();
        return unit.nest(function);
    }

    /**
     * Does a unit of work of its own beside this one, on another connection: it is committed even if this one is rolled back,
     * and sees nothing of what this one has not committed. For the rare need, such as a log of failures; on PostgreSQL it hangs
     * if it needs a row that this one has changed. Its hooks run at its own end, when this one is still open: a unit that they
     * begin joins this one. If this one is tried again, so is what was independent in it.
     *
     * @param action the work
     * @param <X> what the action throws
     * @throws X if the action does; this transaction goes on
     * @throws TransactionException at once, if it would wait for ever: for this one, as SQLite has one writer, or for a
     *     connection, because all are held by units that wait for another one
     */
    public <X extends Exception> void independent(TransactionAction<X> action) throws X {
        independentCall(withoutResult(action));
    }

    /**
     * Like {@link #independent}, with a result.
     *
     * @param function the work
     * @param <R> the result
     * @param <X> what the function throws
     * @return what the function returned
     * @throws X if the function does
     */
    public <R extends @Nullable Object, X extends Exception> R independentCall(TransactionFunction<R, X> function)
            throws X {
        check();
        return UnitOfWork.runAttempts(unit.engine(), unit.settings(), function, false);
    }

    /** Runs the function that this transaction is for. Another unit's commit must not come out of it, as this is rolled back. */
    <R extends @Nullable Object, X extends Exception> R apply(TransactionFunction<R, X> function) throws X {
        try {
            return function.apply(this);
        } catch (AfterCommitException e) {
            throw new TransactionException(
                    "The " + (role == Role.NESTED ? "nested part of the " : "") + "unit of work on " + unit.url()
                            + " is rolled back, because another unit's hook failed: " + e.getMessage(),
                    e);
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
     * Adds what is to run once the whole unit of work is committed and its connection released. It may begin another unit. If
     * it fails, the others run all the same, and the caller gets an {@link AfterCommitException}.
     *
     * @param hook what to run; dropped if the nested part that is open now, or the unit, is rolled back or tried again
     */
    public void afterCommit(Runnable hook) {
        check();
        unit.hooks().add(hook, true);
    }

    /**
     * Adds what is to run once the whole unit of work has ended and what this part did was rolled back.
     *
     * @param hook what to run; dropped if the unit is committed or tried again
     */
    public void afterRollback(Runnable hook) {
        check();
        unit.hooks().add(hook, false);
    }

    /**
     * Decides that this ends in a roll-back, without a failure. For the owner of the unit, or of a nested part, that is all; a
     * part that joined thereby fails, which its owner learns at the end by a {@link RollbackOnlyException}.
     */
    public void setRollbackOnly() {
        check();
        if (role.isPart()) {
            level.doom(
                    new TransactionException("A part of the unit of work on " + unit.url() + " asked for that", null));
        } else {
            level.askForRollback();
        }
    }

    /**
     * Whether this will end in a roll-back, whatever is done.
     *
     * @return {@code true} if a part has failed, somebody has decided so, or PostgreSQL has aborted the transaction
     */
    public boolean isRollbackOnly() {
        check();
        if (level == unit.level() && unit.abortion() != null) {
            return true;
        }
        for (Level any = level; any != null; any = any.outer()) {
            if (any.isDoomed()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the database refuses to be changed in this transaction.
     *
     * @return {@code true} in {@link UnitOfWork#read}
     */
    public boolean isReadOnly() {
        check();
        return unit.isRestricted();
    }

    /**
     * Commits what {@link UnitOfWork#begin} began; if {@link #setRollbackOnly} was called on it, rolls it back instead. In a part
     * that joined an open unit, says that the part is done; the unit commits later.
     *
     * @throws RollbackOnlyException if a joined call, or on PostgreSQL a statement, has failed; it is rolled back then
     * @throws AfterCommitException if it was committed, but a hook failed
     * @throws TransactionException if it could not be committed and was rolled back, or is not the caller's to commit
     */
    public void commit() {
        check();
        refuseUnlessEndedByHand("commit", "it commits when its function returns");
        if (role == Role.OPEN_PART) {
            end();
            level.partEnds();
            return;
        }
        if (unit.level() != level) {
            throw new TransactionException(
                    "The unit of work on " + unit.url() + " cannot be committed in its nested part; do it after that",
                    null);
        }
        end();
        boolean committed;
        try {
            committed = unit.complete();
        } catch (Throwable t) {
            unit.rollback(t);
            unit.runHooks(false, t);
            throw t;
        }
        unit.runHooks(committed, null);
    }

    /**
     * Rolls back what {@link UnitOfWork#begin} began, unless it was committed. In a part that joined an open unit, lets all of
     * that fail. Closing again does nothing.
     *
     * @throws TransactionException if rolling back failed, or a hook after it, or this is not the caller's to close
     */
    @Override
    public void close() {
        if (role.endedByHand && (ended || unit.hasEnded())) {
            end();
            return;
        }
        check();
        refuseUnlessEndedByHand("close", "let it throw, or call setRollbackOnly()");
        end();
        if (role == Role.OPEN_PART) {
            level.partEnds();
            level.doom(new TransactionException(
                    "A part of the unit of work on " + unit.url() + " was closed without commit()", null));
            return;
        }
        try {
            unit.rollback(null);
        } catch (Throwable t) {
            unit.runHooks(false, t);
            throw t;
        }
        unit.runHooks(false, null);
    }

    private void refuseUnlessEndedByHand(String what, String instead) {
        if (!role.endedByHand) {
            throw new TransactionException(
                    "The unit of work on " + unit.url() + " is not for its functions to " + what + "; " + instead,
                    null);
        }
    }

    private void check() {
        String reason = unit.whyNot();
        if (reason == null && ended) {
            reason = "This part of the unit of work on " + unit.url()
                    + " has ended; use what the surrounding call was given";
        }
        if (reason != null) {
            throw new TransactionException(reason, null);
        }
    }

    /** From now on nobody can use it. */
    void end() {
        ended = true;
        LeakWatch watch = leakWatch;
        if (watch != null) {
            watch.stop();
            unit.watches().remove(watch);
        }
    }

    @Override
    public String toString() {
        return "Transaction[" + unit.url() + ", thread " + unit.owner().getName()
                + (unit.hasEnded() ? ", ended]" : "]");
    }
}
