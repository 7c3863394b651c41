package dev.oneengine.benchmark;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Creates engines of several URLs at the same time. Confined to its thread. */
final class Creation {
    static final String LIBRARY = "8 engines of an EngineCache";
    private static final int ENGINES = 8;
    private static final long CREATION_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Databases databases;
    private final ExecutorService threads = Executors.newFixedThreadPool(ENGINES);

    private Creation(Databases databases) {
        this.databases = databases;
        databases.closing(threads::shutdownNow);
    }

    /** Finds or creates the engine of a URL. */
    private interface Lookup {
        Engine engine(String url);
    }

    static List<Way> ways(Databases databases) {
        Creation creation = new Creation(databases);
        return List.of(
                creation.way("1 engine of an EngineCache", 1, cache -> cache),
                creation.way(LIBRARY, ENGINES, cache -> cache),
                creation.way("8 engines in a ConcurrentHashMap", ENGINES, cache -> {
                    Map<String, Engine> map = new ConcurrentHashMap<>();
                    return url -> map.computeIfAbsent(url, cache::engine);
                }),
                creation.way("8 engines in a map with a lock", ENGINES, cache -> {
                    Map<String, Engine> map = new HashMap<>();
                    return url -> {
                        synchronized (map) {
                            return map.computeIfAbsent(url, cache::engine);
                        }
                    };
                }));
    }

    private Way way(String name, int engines, UnaryOperator<Lookup> kind) {
        AtomicLong created = new AtomicLong();
        return new Way(
                name,
                () -> {
                    EngineCache cache = databases.closing(EngineCache.create(slow(created), EngineSettings.defaults()));
                    create(kind.apply(cache::engine), engines);
                    return 1;
                },
                tally -> tally.expect("creations", created.get() / engines));
    }

    private static EngineFactory slow(AtomicLong created) {
        return (url, settings) -> {
            long end = System.nanoTime() + CREATION_NANOS;
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            created.incrementAndGet();
            return EngineFactory.pooled().open(url, settings);
        };
    }

    private void create(Lookup lookup, int engines) throws Exception {
        List<Future<Engine>> created = new ArrayList<>();
        for (int i = 0; i < engines; i++) {
            String url = "jdbc:sqlite:file:creation" + i + "?mode=memory";
            created.add(threads.submit(() -> lookup.engine(url)));
        }
        for (Future<Engine> engine : created) {
            engine.get();
        }
    }
}
