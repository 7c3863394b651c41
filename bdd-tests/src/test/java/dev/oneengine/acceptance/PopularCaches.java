package dev.oneengine.acceptance;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/** The ways in which Java programs usually cache engines. Thread-safe. */
final class PopularCaches {
    /**
     * The size of hash tables that lock a bin. It is large because in a table of the default size, 1 pair of URLs in 16
     * shares a bin by chance.
     */
    private static final int LARGE = 1 << 16;

    private PopularCaches() {}

    private static HandMadeEngine created(HandMadeCache cache, String url) {
        try {
            return cache.create(url);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** {@code ConcurrentHashMap.computeIfAbsent}, which locks a bin of the table during the creation. */
    static final class ComputeIfAbsent extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>(LARGE);

        ComputeIfAbsent(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) {
            return engines.computeIfAbsent(url, any -> created(this, any));
        }

        @Override
        public void evict(String url) throws Exception {
            HandMadeEngine engine = engines.remove(url);
            if (engine != null) {
                engine.close();
            }
        }
    }

    /** A check without a lock, then one lock for all URLs and a second check. */
    static final class DoubleCheckedLocking extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();
        private final Object lock = new Object();

        DoubleCheckedLocking(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            HandMadeEngine engine = engines.get(url);
            if (engine == null) {
                synchronized (lock) {
                    engine = engines.get(url);
                    if (engine == null) {
                        engine = create(url);
                        engines.put(url, engine);
                    }
                }
            }
            return engine;
        }

        @Override
        public void evict(String url) throws Exception {
            HandMadeEngine engine = engines.remove(url);
            if (engine != null) {
                engine.close();
            }
        }
    }

    /** Caffeine, whose entries are computed by {@code ConcurrentHashMap.compute}. */
    static final class OfCaffeine extends HandMadeCache {
        private final Cache<String, HandMadeEngine> engines =
                Caffeine.newBuilder().initialCapacity(LARGE).build();

        OfCaffeine(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) {
            return engines.get(url, any -> created(this, any));
        }

        @Override
        public void evict(String url) throws Exception {
            HandMadeEngine engine = engines.asMap().remove(url);
            if (engine != null) {
                engine.close();
            }
        }
    }

    /** Guava, which loads an entry outside its locks. */
    static final class OfGuava extends HandMadeCache {
        private final com.google.common.cache.Cache<String, HandMadeEngine> engines =
                CacheBuilder.newBuilder().build();

        OfGuava(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            return engines.get(url, () -> create(url));
        }

        @Override
        public void evict(String url) throws Exception {
            HandMadeEngine engine = engines.asMap().remove(url);
            if (engine != null) {
                engine.close();
            }
        }
    }
}
