package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.internal.Throwables;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a unit of work: its thread, its connection, and the scopes that a failure rolls back. The guard, the leak watch and the
 * list of open units see no more of a {@link Unit} than this. Confined to the unit's thread, except where a member says otherwise.
 */
abstract class UnitState {
    // Any thread may read these three fields.
    final Engine engine;
    final UnitSettings settings;
    final Thread owner = Thread.currentThread();

    /** The connection with its statements. */
    final ConnectionLease lease;

    final TransactionControl control;
    private RollbackScope scope = new RollbackScope();
    private boolean readOnly;

    /** Read by any thread. */
    private volatile boolean ended;

    /** The unit that was open in this thread before, on any engine. The list of {@link OpenUnits}. */
    private @Nullable UnitState outer;

    UnitState(Engine engine, UnitSettings settings, boolean readOnly, ConnectionLease lease) {
        this.engine = engine;
        this.settings = settings;
        this.readOnly = readOnly;
        this.lease = lease;
        this.control = lease.control;
    }

    /**
     * Rolls the unit back and ends it; does nothing if it has ended. Another thread may call this only if the owner is dead.
     *
     * @param failure the reason for the rollback; {@code null} if it was requested. A failure of the rollback is
     * suppressed in the reason
     * @throws TransactionException if the rollback fails and {@code failure} is {@code null}
     */
    abstract void rollback(@Nullable Throwable failure);

    /**
     * Rolls the unit back if no caller can commit it any more.
     *
     * @return whether it was rolled back
     */
    abstract boolean rollBackIfAbandoned();

    /** Any thread may call this. */
    final DatabaseUrl url() {
        return engine.url();
    }

    /** Any thread may call this. */
    final boolean hasEnded() {
        return ended;
    }

    final void setEnded() {
        ended = true;
    }

    /** Returns why the current thread may not use the unit now, or {@code null} if it may. Any thread may call this. */
    final @Nullable String refusalReason() {
        Thread thread = Thread.currentThread();
        if (thread != owner) {
            return "The unit of work on " + url() + " belongs to thread " + owner.getName() + " and cannot be used in "
                    + thread.getName() + "; begin another one there";
        }
        return ended ? "The unit of work on " + url() + " has ended and cannot be used any more" : null;
    }

    final @Nullable UnitState outer() {
        return outer;
    }

    final void setOuter(@Nullable UnitState unit) {
        outer = unit;
    }

    /** Returns the innermost scope. */
    final RollbackScope scope() {
        return scope;
    }

    final void enterScope(RollbackScope inner) {
        scope = inner;
    }

    /** Leaves a scope and all scopes within it. */
    final void leaveScope(RollbackScope inner) {
        scope = Objects.requireNonNull(inner.outer());
    }

    /** Fails if the caller of {@link UnitOfWork#begin} closed the unit within a joined or nested call. */
    final void requireOpen() {
        if (ended) {
            throw new TransactionException(
                    "The unit of work on " + url() + " was closed and rolled back within a joined or nested call",
                    null);
        }
    }

    /**
     * Whether the innermost scope may be committed. It may not if its owner requested a rollback.
     *
     * @param what the scope, for the message
     * @throws RollbackOnlyException if a failure or an open joined call dooms the scope
     */
    final boolean mayCommit(String what) {
        if (scope.hasOpenJoins()) {
            scope.doom(new TransactionException(
                    "A call that joined the unit of work on " + url()
                            + " has not ended. Commit or close each transaction"
                            + " of begin(), and end the unit outside of its joined calls.",
                    null));
        }
        boolean doomed = scope.isDoomed();
        Throwable failure = doomed ? scope.failure() : control.abortion();
        if (failure != null) {
            throw new RollbackOnlyException(
                    what + " on " + url() + " was rolled back instead of committed, because "
                            + (doomed
                                    ? "a call in it failed: "
                                    : "PostgreSQL aborts a transaction when a statement in it fails: ")
                            + Throwables.describe(failure)
                            + ". Let the exception propagate, or use nested() for work that may fail.",
                    failure);
        }
        return !doomed;
    }

    /** Whether writes are rejected at the moment. */
    final boolean isReadOnly() {
        return readOnly;
    }

    /** Rejects writes until {@link #allowWrites}. */
    final void rejectWrites() {
        try {
            control.rejectWrites();
            readOnly = true;
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " read-only: " + Throwables.message(e), e);
        }
    }

    final void allowWrites() {
        readOnly = false;
        try {
            control.allowWrites();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " writable again: " + Throwables.message(e), e);
        }
    }

    /** Handles a failure of the driver. If the database has rolled back, nothing of the unit can be committed. */
    final void failed(Throwable failure) {
        control.failed(failure);
        if (TransactionControl.hasRolledBack(failure)) {
            doomAll(failure);
        }
    }

    /** Handles a failure that leaves the driver in an unknown state. */
    final void broken(Throwable failure) {
        lease.breakConnection(failure);
        doomAll(failure);
    }

    /** Dooms every scope of the unit. */
    final void doomAll(Throwable failure) {
        for (RollbackScope doomed = scope; doomed != null; doomed = doomed.outer()) {
            doomed.doom(failure);
        }
    }
}
