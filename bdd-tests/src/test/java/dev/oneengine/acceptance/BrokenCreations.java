package dev.oneengine.acceptance;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** Caches that create too many engines or handle a failed creation badly. As thread-safe as their defects allow. */
final class BrokenCreations {
    private BrokenCreations() {}

    /** Keeps its engines per thread, as {@code threading.local} does in Python. */
    static final class EnginePerThread extends HandMadeCache {
        private final ThreadLocal<Map<String, HandMadeEngine>> engines =
                ThreadLocal.withInitial(ConcurrentHashMap::new);

        EnginePerThread(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            HandMadeEngine engine = engines.get().get(url);
            if (engine == null) {
                engine = create(url);
                engines.get().put(url, engine);
            }
            return engine;
        }
    }

    /** Retries a failed creation silently. */
    static final class RetriesSilently extends RightCache {
        RetriesSilently(Creation creation) {
            super(creation);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            try {
                return super.engine(url);
            } catch (ExecutionException e) {
                return super.engine(url);
            }
        }
    }

    /** Forgets the future of a failed creation without completing it. */
    static final class WaitersHang extends HandMadeCache {
        private final Map<String, CompletableFuture<HandMadeEngine>> engines = new ConcurrentHashMap<>();

        WaitersHang(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            CompletableFuture<HandMadeEngine> mine = new CompletableFuture<>();
            CompletableFuture<HandMadeEngine> first = engines.putIfAbsent(url, mine);
            if (first != null) {
                return first.get();
            }
            try {
                mine.complete(create(url));
            } catch (Exception e) {
                engines.remove(url);
                throw e;
            }
            return mine.get();
        }
    }
}
