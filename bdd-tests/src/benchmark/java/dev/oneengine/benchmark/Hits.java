package dev.oneengine.benchmark;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.oneengine.benchmark.Way.Check;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks up engines that exist. Each way has a separate loop, because a shared one would call through an interface. All
 * loops read the URL from an array, even if it is always the same. Otherwise the JIT might move the lookup out of the
 * loop. Confined to its thread; the ways are thread-safe.
 */
final class Hits {
    static final String LIBRARY = "EngineCache.engine";
    private static final int BATCH = 10_000;
    private static final int KEYS = 16;
    private static final Check CHECKED_AT_ONCE = tally -> {};

    private final String[] urls = new String[KEYS];
    private final Engine[] engines = new Engine[KEYS];
    private final EngineCache cache;
    private final Map<String, Engine> map = new ConcurrentHashMap<>();
    private final Map<String, Engine> synchronizedMap = Collections.synchronizedMap(new HashMap<>());
    private final Cache<String, Engine> caffeine = Caffeine.newBuilder().build();

    private Hits(Databases databases, int distinct) {
        cache = databases.closing(EngineCache.create());
        for (int i = 0; i < KEYS; i++) {
            String url = i < distinct ? "jdbc:sqlite:file:hits" + i + "?mode=memory" : urls[i % distinct];
            urls[i] = url;
            engines[i] = cache.engine(url);
            map.put(url, engines[i]);
            synchronizedMap.put(url, engines[i]);
            caffeine.put(url, engines[i]);
        }
    }

    /** Lookups of some URLs in turn. */
    static List<Way> of(Databases databases, int distinct) {
        Hits hits = new Hits(databases, distinct);
        return List.of(hits.map(), hits.library(), hits.caffeine());
    }

    /** Lookups of one URL, also in ways with features that this comparison does not use. */
    static List<Way> ofOne(Databases databases) {
        Hits hits = new Hits(databases, 1);
        return List.of(hits.map(), hits.library(), hits.caffeine(), hits.computeIfAbsent(), hits.synchronizedMap());
    }

    /** Lookups with settings. */
    static List<Way> withSettings(Databases databases) {
        Hits hits = new Hits(databases, 1);
        return List.of(hits.map(), hits.libraryWithSettings(), hits.caffeine());
    }

    /** Lookups after many threads have used the cache and ended. */
    static List<Way> afterThreads(Databases databases) throws InterruptedException {
        Hits hits = new Hits(databases, 1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Thread thread = new Thread(() -> hits.cache.engine(hits.urls[0]));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return List.of(hits.map(), hits.library(), hits.caffeine());
    }

    /** A lookup that returns the wrong engine does not count as an operation. */
    private static long found(int right) {
        if (right != BATCH) {
            throw new AssertionError(right + " of " + BATCH + " lookups found the right engine");
        }
        return BATCH;
    }

    private Way library() {
        return new Way(
                LIBRARY,
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (cache.engine(urls[i & (KEYS - 1)]) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                createdOnce());
    }

    private Way libraryWithSettings() {
        EngineSettings settings = EngineSettings.builder().build();
        return new Way(
                LIBRARY,
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (cache.engine(urls[i & (KEYS - 1)], settings) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                createdOnce());
    }

    private Check createdOnce() {
        long created = cache.stats().created();
        return tally -> {
            if (cache.stats().created() != created) {
                throw new AssertionError("Lookups created " + (cache.stats().created() - created) + " engines");
            }
        };
    }

    private Way map() {
        return new Way(
                "ConcurrentHashMap.get",
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (map.get(urls[i & (KEYS - 1)]) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                CHECKED_AT_ONCE);
    }

    private Way computeIfAbsent() {
        return new Way(
                "ConcurrentHashMap.computeIfAbsent",
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (map.computeIfAbsent(urls[i & (KEYS - 1)], cache::engine) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                CHECKED_AT_ONCE);
    }

    private Way caffeine() {
        return new Way(
                "Caffeine get",
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (caffeine.get(urls[i & (KEYS - 1)], cache::engine) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                CHECKED_AT_ONCE);
    }

    private Way synchronizedMap() {
        return new Way(
                "synchronized map",
                () -> {
                    int right = 0;
                    for (int i = 0; i < BATCH; i++) {
                        if (synchronizedMap.get(urls[i & (KEYS - 1)]) == engines[i & (KEYS - 1)]) {
                            right++;
                        }
                    }
                    return found(right);
                },
                CHECKED_AT_ONCE);
    }
}
