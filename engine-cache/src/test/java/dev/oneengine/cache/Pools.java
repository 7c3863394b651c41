package dev.oneengine.cache;

import static org.awaitility.Awaitility.await;

import java.util.List;

/** What pools leave behind when they are not closed. Stateless and thread-safe. */
final class Pools {
    private Pools() {}

    /** Waits until no pool has a thread any more, and says which one has. */
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
