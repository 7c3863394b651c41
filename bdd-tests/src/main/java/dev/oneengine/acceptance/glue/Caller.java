package dev.oneengine.acceptance.glue;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs each action in a new thread, with a time limit, and keeps the last failure. Confined to the thread of the scenario. */
final class Caller {
    private final Crew crew;
    private @Nullable Throwable failure;

    Caller(Crew crew) {
        this.crew = crew;
    }

    /** Runs an action that must not fail. Thread-safe. */
    <T> T expect(Callable<T> action) {
        return start(action).result();
    }

    /** Runs an action and returns its failure, or {@code null}. Thread-safe. */
    @Nullable Throwable failureOf(Callable<?> action) {
        return start(action).failure();
    }

    private <T> Worker<T> start(Callable<T> action) {
        return crew.start("caller", action);
    }

    /** Runs an action that may fail. Later steps check the failure. */
    void attempt(Callable<?> action) {
        failure = failureOf(action);
    }

    /** Returns the failure of the last attempt, or {@code null}. */
    @Nullable Throwable failure() {
        return failure;
    }
}
