package dev.oneengine.cache;

import static org.awaitility.Awaitility.await;

import java.util.List;

/** Finds the threads of pools that were not closed. Stateless and thread-safe. */
final class Pools {
    private Pools() {}

    /** Waits until all threads of pools have ended, and names those that have not. */
    static void awaitNoThreads() {
        await().untilAsserted(() ->
                org.assertj.core.api.Assertions.assertThat(threads()).isEmpty());
    }

    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("one-engine-") || name.contains("HikariPool"))
                .toList();
    }
}
