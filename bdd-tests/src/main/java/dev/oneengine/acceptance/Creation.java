package dev.oneengine.acceptance;

/**
 * How an implementation tells the kit that it creates an engine. The kit counts here, and may block here or let the creation
 * fail: so it brings threads into the order that a scenario is about.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface Creation {
    /**
     * To be called with each creation, before the engine is there for anybody to see, and while the implementation holds
     * whatever it holds while it creates an engine.
     *
     * @param url the URL of the engine, in whatever way the implementation writes it
     * @throws Exception to make the creation fail; to be treated like any failure of the database
     */
    void begins(String url) throws Exception;

    /**
     * To be called instead of {@link #begins(String)} by a cache that creates engines on threads of its own and knows for which
     * call it does so.
     *
     * @param url the URL of the engine, in whatever way the implementation writes it
     * @param caller the thread whose call has caused the creation
     * @throws Exception to make the creation fail
     */
    default void begins(String url, Thread caller) throws Exception {
        begins(url);
    }
}
