package dev.oneengine.cache;

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
            add(e);
        }
    }

    private void add(Throwable next) {
        Throwable known = first;
        if (known == null) {
            first = next;
        } else if (known != next) { // no exception can suppress itself
            known.addSuppressed(next);
        }
        keepInterrupt(next);
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

    /** Logs. A failure of the logger has no effect. */
    static void log(Step logging) {
        new FailureCollector().attempt(logging);
    }

    /** Restores the interrupt flag that an {@link InterruptedException} has cleared. */
    static void keepInterrupt(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the message of a failure. An exception of other code may fail to return it. */
    static String describe(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null ? failure.toString() : message;
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }
}
