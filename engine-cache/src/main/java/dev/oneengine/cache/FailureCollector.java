package dev.oneengine.cache;

import dev.oneengine.cache.internal.Throwables;
import org.jspecify.annotations.Nullable;

/** Collects the failures of several steps that all must run. Confined to its thread. */
final class FailureCollector {
    private @Nullable Throwable first;

    /** A step that may fail. */
    @FunctionalInterface
    interface Step {
        void run() throws Throwable;
    }

    FailureCollector() {}

    /** Creates a collector with a first failure. */
    FailureCollector(Throwable first) {
        this.first = first;
    }

    /** Runs a step and keeps its failure. If the step was interrupted, the thread stays interrupted. */
    void attempt(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            if (first == null) {
                first = e;
            } else {
                Throwables.suppress(first, e);
            }
            Throwables.keepInterrupt(e);
        }
    }

    /** The first failure, with the others suppressed; {@code null} if there is none. */
    @Nullable Throwable first() {
        return first;
    }

    /**
     * Throws the first failure unchanged, if there is one.
     *
     * @param <E> the checked exception that the caller declares; a step may also have thrown an undeclared one
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <E extends Throwable> void rethrow() throws E {
        if (first != null) {
            throw (E) first;
        }
    }
}
