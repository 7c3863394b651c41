package dev.oneengine.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Waits until a thread waits for its turn. Stateless and thread-safe. */
public final class Waiting {
    private Waiting() {}

    /** Returns once the thread has started and is in a wait with a time limit. */
    public static void awaitThat(AtomicReference<Thread> thread) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
    }
}
