package dev.oneengine.work;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** When a thread waits for its turn. Stateless and thread-safe. */
final class Waiting {
    private Waiting() {}

    static void awaitThat(AtomicReference<Thread> thread) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
    }
}
