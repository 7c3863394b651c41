package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Implementation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The caches of a scenario. Confined to the thread of the scenario, except for members marked as thread-safe. */
final class Caches {
    private final Implementation implementation;
    private final Creations creations;
    private final Databases databases;
    private final Story story;
    private final List<CacheUnderTest> caches = new ArrayList<>();

    Caches(Implementation implementation, Creations creations, Databases databases, Story story) {
        this.implementation = implementation;
        this.creations = creations;
        this.databases = databases;
        this.story = story;
    }

    /** Creates another cache. */
    CacheUnderTest add() throws Exception {
        CacheUnderTest cache = new RecordedCache(implementation.cache(creations), story, databases::nameOf);
        caches.add(cache);
        return cache;
    }

    /** Returns the first cache, which most scenarios use alone. Thread-safe. */
    CacheUnderTest first() {
        return caches.get(0);
    }

    /** Returns the diagnostics of all caches. */
    String diagnostics() {
        return caches.stream()
                .map(CacheUnderTest::diagnostics)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** Closes each cache, even after another one has failed to close. */
    void close() throws Exception {
        closeFrom(0);
    }

    private void closeFrom(int index) throws Exception {
        if (index == caches.size()) {
            return;
        }
        try {
            caches.get(index).close();
        } finally {
            try {
                caches.get(index).release();
            } finally {
                closeFrom(index + 1);
            }
        }
    }
}
