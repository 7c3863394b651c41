package dev.oneengine.cache;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs two threads under the model checker, without pools, barriers and time limits. Stateless and thread-safe. */
final class Threads {
    private Threads() {}

    /** Runs both concurrently, waits for their end, and fails if one of them failed. */
    static void run(Runnable one, Runnable two) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread first = new Thread(() -> failing(one, failure));
        Thread second = new Thread(() -> failing(two, failure));
        first.start();
        second.start();
        try {
            first.join();
            second.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
    }

    private static void failing(Runnable action, AtomicReference<@Nullable Throwable> failure) {
        try {
            action.run();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }
}
