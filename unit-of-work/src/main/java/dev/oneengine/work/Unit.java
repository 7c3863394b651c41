package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.internal.Throwables;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: one transaction from its beginning to its end. {@link #finish} ends it for functions and for the caller of
 * {@link UnitOfWork#begin}, and {@link #fail} after a failure. Confined to its thread, except where a member says otherwise.
 *
 * <p>The end uses no lambda, for the reason that {@link ConnectionLease} gives.
 */
final class Unit extends UnitState {
    final Guard guard;
    final TransactionHooks hooks = new TransactionHooks();
    private @Nullable Connection connection;
    private @Nullable Repositories repositories;
    private boolean committed;

    /** The {@link Transaction} that must end the unit, if {@link UnitOfWork#begin} opened it. */
    private @Nullable WeakReference<Object> handle;

    private @Nullable LeakWatch handleWatch;

    /** The watches of all open transactions of {@link UnitOfWork#begin} in this unit. */
    private final List<LeakWatch> watches = new ArrayList<>(0);

    /** Decides whether the work of a failed unit is repeated in another unit. */
    interface Retries {
        boolean shouldRetry(Throwable failure);
    }

    private Unit(Engine engine, UnitSettings settings, boolean readOnly, ConnectionLease lease) {
        super(engine, settings, readOnly, lease);
        this.guard = new Guard(this);
    }

    /** Waits for a turn and a connection, and opens a unit. */
    static Unit open(Engine engine, UnitSettings settings, boolean readOnly) {
        ConnectionLease lease;
        try {
            lease = ConnectionLease.take(engine, settings, readOnly);
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot begin a unit of work on " + engine.url() + ": " + Throwables.message(e), e);
        }
        try {
            Unit unit = new Unit(engine, settings, readOnly, lease);
            OpenUnits.add(unit);
            return unit;
        } catch (Throwable t) { // such as a StackOverflowError
            lease.rollback();
            throw t;
        }
    }

    /** Returns the connection of the participants. */
    Connection connection() {
        Connection known = connection;
        if (known == null) {
            known = new GuardedConnection(control.connection, guard, false);
            connection = known;
        }
        return known;
    }

    Repositories repositories() {
        Repositories known = repositories;
        if (known == null) {
            known = new Repositories();
            repositories = known;
        }
        return known;
    }

    /**
     * Watches a transaction that its caller must end.
     *
     * @param opensUnit whether the transaction opened this unit, so that the unit is abandoned if the transaction is garbage
     */
    @Nullable LeakWatch watch(Object transaction, boolean opensUnit) {
        LeakWatch watch = LeakWatch.start(this);
        if (opensUnit) {
            handle = new WeakReference<>(transaction);
            handleWatch = watch;
        }
        if (watch != null) {
            watches.add(watch);
        }
        return watch;
    }

    void unwatch(LeakWatch watch) {
        watch.stop();
        watches.remove(watch);
    }

    /** Keeps a unit with an open nested transaction or joined call: its participants are still at work. */
    @Override
    boolean rollBackIfAbandoned() {
        if (handle == null || !handle.refersTo(null) || scope().outer() != null || scope().hasOpenJoins()) {
            return false;
        }
        LeakWatch.rollBackDropped(
                this, handleWatch == null ? new Throwable("The unit was found here") : handleWatch.place());
        return true;
    }

    /** Fails if a call must not join this unit. */
    void requireJoinable(boolean reading) {
        if (isReadOnly() && !reading) {
            throw new TransactionException(
                    "Cannot join the read-only unit of work on " + url()
                            + " with a call that may write. Begin the outer unit" + " with run() or call().",
                    null);
        }
        if (handleWatch != null && handleWatch.isOverdue()) {
            throw new TransactionException(
                    "Cannot join the unit of work on " + url() + ": it has been open in thread " + owner.getName()
                            + " for more than " + settings.leakAfter()
                            + ", and a call that joins a forgotten unit is never"
                            + " committed. It was begun at " + handleWatch.line()
                            + ". Commit or close it there, or raise leakAfter.",
                    handleWatch.place());
        }
    }

    /**
     * Commits and ends the unit, or rolls it back if its owner requested that.
     *
     * @throws TransactionException if the unit cannot be committed; the caller must then roll back
     */
    private void complete() {
        if (!mayCommit("The unit of work")) {
            rollback(null);
            return;
        }
        try {
            lease.commit();
        } catch (SQLException e) {
            throw new TransactionException(commitFailure(e), e);
        }
        committed = true;
        end();
    }

    private String commitFailure(SQLException e) {
        return isConnectionLost(e)
                ? "The connection was lost during the commit of the unit of work on " + url()
                        + ". Check in the database whether it was committed. " + Throwables.message(e)
                : "Cannot commit the unit of work on " + url() + ", which was rolled back: " + Throwables.message(e);
    }

    /** Whether the connection broke, or an administrator or a crash of the server ended it. */
    private static boolean isConnectionLost(SQLException e) {
        try {
            String state = e.getSQLState();
            return state != null && (state.startsWith("08") || state.startsWith("57P"));
        } catch (Throwable t) {
            return false; // a failure whose methods throw says nothing
        }
    }

    @Override
    void rollback(@Nullable Throwable failure) {
        if (hasEnded()) {
            return;
        }
        Throwable trouble;
        try {
            trouble = lease.rollback();
        } finally {
            end();
        }
        if (trouble != null) {
            TransactionException e = new TransactionException(
                    "Cannot roll back the unit of work on " + url() + ", so its connection was discarded: "
                            + Throwables.message(trouble),
                    trouble);
            if (failure == null) {
                throw e;
            }
            Throwables.suppress(failure, e);
        }
    }

    /**
     * Ends the unit after its work, and runs the hooks.
     *
     * @param commit whether to commit
     * @param retries {@code null} if the work is never repeated
     * @return whether the unit failed and its work must be repeated; otherwise a failure is thrown
     */
    boolean finish(boolean commit, @Nullable Retries retries) {
        try {
            if (commit) {
                complete();
            } else {
                rollback(null);
            }
        } catch (Throwable t) {
            if (fail(t, retries)) {
                return true;
            }
            throw t;
        }
        runHooks(null);
        return false;
    }

    /**
     * Rolls the unit back after a failure of its work or its commit. Runs the hooks, unless the work is repeated.
     *
     * @param retries {@code null} if the work is never repeated
     * @return whether the work must be repeated; otherwise the caller throws the failure
     */
    boolean fail(Throwable failure, @Nullable Retries retries) {
        rollback(failure);
        if (retries != null && retries.shouldRetry(failure)) {
            return true;
        }
        runHooks(failure);
        return false;
    }

    /** Runs the hooks after the end. Failures of the hooks are suppressed in the failure of the unit, if there is one. */
    private void runHooks(@Nullable Throwable failure) {
        Throwable trouble = hooks.run(committed);
        if (trouble == null) {
            return;
        }
        if (failure != null) {
            Throwables.suppress(failure, trouble);
        } else if (committed) {
            throw new AfterCommitException(
                    "The unit of work on " + url() + " was committed, but one of its hooks failed: "
                            + Throwables.describe(trouble),
                    trouble);
        } else {
            throw new TransactionException(
                    "The unit of work on " + url() + " was rolled back as requested, but one of its hooks failed: "
                            + Throwables.describe(trouble),
                    trouble);
        }
    }

    private void end() {
        setEnded();
        for (LeakWatch watch : watches) {
            watch.stop();
        }
        OpenUnits.remove(this);
    }
}
