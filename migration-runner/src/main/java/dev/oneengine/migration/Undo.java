package dev.oneengine.migration;

/** Undoes the first step of a creation if the second one fails. Stateless and thread-safe. */
final class Undo {
    private Undo() {}

    /** The second step. */
    @FunctionalInterface
    interface Creation<T, E extends Exception> {
        T run() throws E;
    }

    /** What undoes the first step. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /**
     * Creates something. If that fails, for whatever reason, runs a step that undoes what was created before.
     *
     * @throws E the failure of the creation; that of the step is suppressed in it
     */
    static <T, E extends Exception> T onFailure(Step undo, Creation<T, E> creation) throws E {
        try {
            return creation.run();
        } catch (Throwable t) {
            try {
                undo.run();
            } catch (Throwable e) {
                if (e != t) {
                    t.addSuppressed(e);
                }
            }
            throw t;
        }
    }
}
