package dev.oneengine.work;

import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** A unit of work, or what it does after a savepoint: what ends well as a whole or is rolled back as a whole. For one thread. */
final class Level {
    private final @Nullable Level outer;
    private final @Nullable Savepoint savepoint;
    private final int hooksBefore;
    private @Nullable Throwable failure;
    private boolean rollbackAsked;
    private int openParts;

    Level(@Nullable Level outer, @Nullable Savepoint savepoint, int hooksBefore) {
        this.outer = outer;
        this.savepoint = savepoint;
        this.hooksBefore = hooksBefore;
    }

    @Nullable Level outer() {
        return outer;
    }

    @Nullable Savepoint savepoint() {
        return savepoint;
    }

    int hooksBefore() {
        return hooksBefore;
    }

    /** Lets it end in a roll-back, because a part of it failed. */
    void doom(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Lets it end in a roll-back, because its owner wants it so. */
    void askForRollback() {
        rollbackAsked = true;
    }

    boolean isDoomed() {
        return failure != null || rollbackAsked;
    }

    /** What failed in it, or {@code null} if nothing did. */
    @Nullable Throwable failure() {
        return failure;
    }

    void partBegins() {
        openParts++;
    }

    void partEnds() {
        openParts--;
    }

    boolean hasOpenParts() {
        return openParts > 0;
    }
}
