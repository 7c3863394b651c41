package dev.oneengine.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Waits for the states of other threads. Stateless and thread-safe. */
public final class ThreadStates {
    private ThreadStates() {}

    /** Returns once the thread has started and is in a wait with a time limit. */
    public static void awaitTimedWait(AtomicReference<Thread> thread) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
    }
}
