package dev.oneengine.migration;

/** Cleans up after a creation of several steps that fails midway. Stateless and thread-safe. */
final class Cleanup {
    private Cleanup() {}

    /** The rest of a creation. */
    @FunctionalInterface
    interface Creation<T, E extends Exception> {
        T run() throws E;
    }

    /** The reverse of the steps before. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /**
     * Runs the rest of a creation. If that fails for any reason, removes the results of the steps before.
     *
     * @throws E the failure of the creation; a failure of the cleanup is suppressed in it
     */
    static <T, E extends Exception> T onFailure(Step cleanup, Creation<T, E> creation) throws E {
        try {
            return creation.run();
        } catch (Throwable t) {
            try {
                cleanup.run();
            } catch (Throwable e) {
                if (e != t) {
                    t.addSuppressed(e);
                }
            }
            throw t;
        }
    }
}
