package dev.oneengine.work;

import org.jspecify.annotations.Nullable;

/**
 * The work that is rolled back together: all of a unit, or what a nested transaction did since its savepoint. A doomed scope ends in
 * a rollback. Confined to the unit's thread.
 */
final class RollbackScope {
    private final @Nullable RollbackScope outer;
    private final int hooksBefore;
    private @Nullable Throwable failure;
    private boolean rollbackRequested;
    private int openJoins;

    /** Creates the scope of a unit. */
    RollbackScope() {
        this(null, 0);
    }

    /** Creates the scope of a nested transaction. */
    RollbackScope(@Nullable RollbackScope outer, int hooksBefore) {
        this.outer = outer;
        this.hooksBefore = hooksBefore;
    }

    @Nullable RollbackScope outer() {
        return outer;
    }

    /** Returns the number of hooks at the beginning of the scope. */
    int hooksBefore() {
        return hooksBefore;
    }

    /** Dooms the scope because of a failure. The first failure is kept. */
    void doom(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Dooms the scope because its owner requested that. */
    void requestRollback() {
        rollbackRequested = true;
    }

    boolean isDoomed() {
        return failure != null || rollbackRequested;
    }

    /** Whether this scope or one around it is doomed. */
    boolean isDoomedAnywhere() {
        RollbackScope scope = this;
        while (scope != null && !scope.isDoomed()) {
            scope = scope.outer;
        }
        return scope != null;
    }

    boolean isWithin(RollbackScope other) {
        RollbackScope scope = this;
        while (scope != null && scope != other) {
            scope = scope.outer;
        }
        return scope != null;
    }

    /** Returns the failure that doomed the scope, or {@code null}. */
    @Nullable Throwable failure() {
        return failure;
    }

    void joinBegan() {
        openJoins++;
    }

    void joinEnded() {
        openJoins--;
    }

    /** Whether a joined call has not ended. */
    boolean hasOpenJoins() {
        return openJoins > 0;
    }
}
