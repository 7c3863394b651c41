package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a unit of work: its thread, its connection, and the scopes that a failure rolls back. The guard, the leak watch and the
 * list of open units see no more of a {@link Unit} than this. Confined to the unit's thread, except where a member says otherwise.
 */
abstract class UnitState {
    private final Engine engine;
    private final UnitSettings settings;
    private final Thread owner = Thread.currentThread();
    private final ConnectionLease lease;
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
    }

    /**
     * Rolls the unit back and ends it; does nothing if it has ended. Another thread may call this only if the owner is dead.
     *
     * @param failure the reason, which takes a failure of the rollback; {@code null} if the rollback was requested
     * @throws TransactionException if the rollback fails and there is no reason to take that
     */
    abstract void rollback(@Nullable Throwable failure);

    /**
     * Rolls the unit back if nobody can ever commit it.
     *
     * @return whether it was rolled back
     */
    abstract boolean rollBackIfAbandoned();

    /** Any thread may call this. */
    final Engine engine() {
        return engine;
    }

    /** Any thread may call this. */
    final DatabaseUrl url() {
        return engine.url();
    }

    /** Any thread may call this. */
    final UnitSettings settings() {
        return settings;
    }

    /** Any thread may call this. */
    final Thread owner() {
        return owner;
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

    final ConnectionLease lease() {
        return lease;
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

    /** Whether writes are rejected at the moment. */
    final boolean isReadOnly() {
        return readOnly;
    }

    /** Rejects writes until {@link #allowWrites}. */
    final void rejectWrites() {
        try {
            lease.control().rejectWrites();
            readOnly = true;
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " read-only: " + Throwables.message(e), e);
        }
    }

    final void allowWrites() {
        readOnly = false;
        try {
            lease.control().allowWrites();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " writable again: " + Throwables.message(e), e);
        }
    }

    /** Returns the failure that made the database abort the transaction, or {@code null}. */
    final @Nullable Throwable abortion() {
        return lease.control().abortion();
    }

    /** Handles a failure of the driver. If the database has rolled back, nothing of the unit can be committed. */
    final void failed(Throwable failure) {
        lease.control().failed(failure);
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
