package dev.oneengine.acceptance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A user's cache, which does not depend on the kit. Thread-safe. */
final class MyCache {
    private final Map<String, FutureTask<MyEngine>> engines = new ConcurrentHashMap<>();
    private final Listener listener;

    MyCache(Listener listener) {
        this.listener = listener;
    }

    /** Receives a call for each creation. */
    interface Listener {
        void creating(String url) throws Exception;
    }

    MyEngine get(String url) throws Exception {
        FutureTask<MyEngine> mine = new FutureTask<>(() -> create(url));
        FutureTask<MyEngine> first = engines.putIfAbsent(url, mine);
        if (first != null) {
            return first.get();
        }
        mine.run();
        try {
            return mine.get();
        } catch (ExecutionException e) {
            engines.remove(url, mine);
            throw e;
        }
    }

    private MyEngine create(String url) throws Exception {
        listener.creating(url);
        return MyEngine.open();
    }

    void closeAll() throws Exception {
        for (FutureTask<MyEngine> engine : engines.values()) {
            engine.get().close();
        }
    }
}
