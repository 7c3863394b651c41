package dev.oneengine.acceptance;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/** Correct caches of other shapes than {@link RightCache}. Thread-safe. */
final class FutureCaches {
    private FutureCaches() {}

    /** Creates each engine on a new thread. */
    static final class SupplyAsync extends HandMadeCache {
        private final Map<String, CompletableFuture<HandMadeEngine>> engines = new ConcurrentHashMap<>();

        SupplyAsync(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            CompletableFuture<HandMadeEngine> engine = engines.computeIfAbsent(url, this::createLater);
            try {
                return engine.get();
            } catch (ExecutionException e) {
                engines.remove(url, engine);
                throw e;
            }
        }

        private CompletableFuture<HandMadeEngine> createLater(String url) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return create(url);
                        } catch (Exception e) {
                            throw new CompletionException(e);
                        }
                    },
                    creation -> new Thread(creation, "creator of " + url).start());
        }

        @Override
        public void evict(String url) throws Exception {
            CompletableFuture<HandMadeEngine> engine = engines.get(url);
            if (engine != null && engine.isDone() && engines.remove(url, engine)) {
                engine.get().close();
            }
        }
    }

    /** Creates each engine on a thread of an executor. */
    static final class Executor extends HandMadeCache {
        private final Map<String, Future<HandMadeEngine>> engines = new HashMap<>();
        private final ExecutorService executor = Executors.newCachedThreadPool();

        Executor(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            Future<HandMadeEngine> engine;
            synchronized (engines) {
                engine = engines.get(url);
                if (engine == null) {
                    Callable<HandMadeEngine> creation = () -> create(url);
                    engine = executor.submit(creation);
                    engines.put(url, engine);
                }
            }
            try {
                return engine.get();
            } catch (ExecutionException e) {
                synchronized (engines) {
                    engines.remove(url, engine);
                }
                throw e;
            }
        }

        @Override
        public void close() throws Exception {
            executor.shutdown();
            super.close();
        }
    }

    /** Keeps its futures in an immutable map that it replaces by compare-and-set. */
    static final class LockFree extends HandMadeCache {
        private final AtomicReference<Map<String, FutureTask<HandMadeEngine>>> engines =
                new AtomicReference<>(Map.of());

        LockFree(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            FutureTask<HandMadeEngine> mine = new FutureTask<>(() -> create(url));
            FutureTask<HandMadeEngine> first =
                    engines.updateAndGet(before -> with(before, url, mine)).get(url);
            first.run(); // runs the creation once; later calls do nothing
            try {
                return first.get();
            } catch (ExecutionException e) {
                engines.updateAndGet(before -> without(before, url, first));
                throw e;
            }
        }

        private static Map<String, FutureTask<HandMadeEngine>> with(
                Map<String, FutureTask<HandMadeEngine>> before, String url, FutureTask<HandMadeEngine> engine) {
            Map<String, FutureTask<HandMadeEngine>> after = new HashMap<>(before);
            after.putIfAbsent(url, engine);
            return Map.copyOf(after);
        }

        private static Map<String, FutureTask<HandMadeEngine>> without(
                Map<String, FutureTask<HandMadeEngine>> before, String url, FutureTask<HandMadeEngine> engine) {
            Map<String, FutureTask<HandMadeEngine>> after = new HashMap<>(before);
            after.remove(url, engine);
            return Map.copyOf(after);
        }
    }
}
