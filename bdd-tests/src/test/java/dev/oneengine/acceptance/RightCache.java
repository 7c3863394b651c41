package dev.oneengine.acceptance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The smallest correct cache: the first caller creates the engine, the others wait for it. Thread-safe. */
class RightCache extends HandMadeCache {
    private final Map<String, FutureTask<HandMadeEngine>> engines = new ConcurrentHashMap<>();

    RightCache(Creation creation) {
        this(creation, HandMadeDatabases::open);
    }

    RightCache(Creation creation, HandMadeEngine.Opening opening) {
        super(creation, opening);
    }

    @Override
    public HandMadeEngine engine(String url) throws Exception {
        FutureTask<HandMadeEngine> mine = new FutureTask<>(() -> create(url));
        FutureTask<HandMadeEngine> first = engines.putIfAbsent(url, mine);
        if (first == null) {
            mine.run();
        }
        FutureTask<HandMadeEngine> engine = first == null ? mine : first;
        try {
            return engine.get();
        } catch (ExecutionException e) {
            forget(url, engine);
            throw e;
        }
    }

    @Override
    public void evict(String url) throws Exception {
        FutureTask<HandMadeEngine> engine = engines.get(url);
        if (engine != null && engine.isDone() && forget(url, engine)) {
            retire(engine.get());
        }
    }

    /** Closes an engine that was evicted. */
    void retire(HandMadeEngine engine) throws Exception {
        engine.close();
    }

    boolean forget(String url, FutureTask<HandMadeEngine> engine) {
        return engines.remove(url, engine);
    }
}
