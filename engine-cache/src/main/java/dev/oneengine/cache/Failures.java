package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/** Collects failures while everything else goes on. Confined to its thread. */
final class Failures {
    private @Nullable Throwable first;

    /** A step that may fail. */
    @FunctionalInterface
    interface Step {
        void run() throws Throwable;
    }

    Failures() {}

    /** Continues a collection that begins with a failure. */
    Failures(Throwable first) {
        this.first = first;
    }

    /** Runs a step and keeps its failure, whatever it is. An interrupt stays visible in the thread. */
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
     * Throws the first failure as it is, if there is one.
     *
     * @param <E> the checked exception that the caller declares; a step may also have thrown an undeclared one
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <E extends Throwable> void rethrow() throws E {
        if (first != null) {
            throw (E) first;
        }
    }

    /** Logs. A logger that fails changes the outcome of nothing else. */
    static void log(Step logging) {
        new Failures().attempt(logging);
    }

    /** Sets the interrupt flag again that an {@link InterruptedException} has cleared. */
    static void keepInterrupt(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** The message of a failure. Callers' exceptions may fail in giving it. */
    static String describe(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null ? failure.toString() : message;
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }
}
