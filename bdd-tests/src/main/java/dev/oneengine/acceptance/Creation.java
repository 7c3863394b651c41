package dev.oneengine.acceptance;

/**
 * Reports to the kit that an implementation creates an engine. The kit counts these calls. It may block a call or make the
 * creation fail, and so forces the order of threads that a scenario tests.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface Creation {
    /**
     * Reports one creation. The implementation calls this for each creation, before other threads can see the engine, and while
     * it holds the locks that it holds during a creation.
     *
     * @param url the URL of the engine, in whatever way the implementation writes it
     * @throws Exception to make the creation fail; the implementation handles it like a failure of the database
     */
    void begins(String url) throws Exception;

    /**
     * Reports one creation for another thread. A cache calls this instead of {@link #begins(String)} if it creates engines on its
     * own threads and knows the calling thread.
     *
     * @param url the URL of the engine, in whatever way the implementation writes it
     * @param caller the thread whose call has caused the creation
     * @throws Exception to make the creation fail
     */
    default void begins(String url, Thread caller) throws Exception {
        begins(url);
    }
}
