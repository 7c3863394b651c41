package dev.oneengine.acceptance.driver;

/** Starts threads that do not keep the JVM alive. Stateless and thread-safe. */
final class DaemonThread {
    private DaemonThread() {}

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
