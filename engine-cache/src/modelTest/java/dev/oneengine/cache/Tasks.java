package dev.oneengine.cache;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs each task in a separate thread, for the model checker. Stateless and thread-safe. */
final class Tasks {
    private Tasks() {}

    /** The work of one thread. */
    interface Task {
        void run() throws SQLException, InterruptedException;
    }

    /** Returns when all have ended, and fails if one of them did. */
    static void run(Task... tasks) {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Task task : tasks) {
            threads.add(new Thread(() -> {
                try {
                    task.run();
                } catch (Throwable t) {
                    failures.add(t);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.get(0));
        }
    }
}
