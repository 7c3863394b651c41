package dev.oneengine.cache;

import java.util.concurrent.ThreadFactory;

/**
 * Creates the threads of pools. They live as long as an engine, and the first caller that needs them starts them. So
 * they must not keep that caller's context class loader or thread-locals alive: these would keep its application in
 * memory. Immutable and thread-safe.
 *
 * @param name the name of each thread
 */
record PoolThreadFactory(String name) implements ThreadFactory {
    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(PoolThreadFactory.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
