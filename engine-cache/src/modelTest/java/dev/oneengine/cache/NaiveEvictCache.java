package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cache with a correct {@link #engine} and the obvious, wrong {@code evict}: remove from the map, then close.
 *
 * <p>Not thread-safe: a thread may have its holder but not yet the lock. If the holder is evicted then, the thread
 * creates its engine in a holder that is no longer in the map. No call can close that engine, and the next call creates
 * another one.
 */
final class NaiveEvictCache {
    private final AtomicInteger created = new AtomicInteger();
    private final ConcurrentMap<String, Holder> holders = new ConcurrentHashMap<>();

    int engine(String url) {
        return holders.computeIfAbsent(url, key -> new Holder()).engine(created);
    }

    boolean evict(String url) {
        Holder holder = holders.remove(url);
        return holder != null && holder.close();
    }

    private static final class Holder {
        private final Object lock = new Object();

        /** The number of the engine; 0 if there is none. */
        @GuardedBy("lock") private int engine;

        int engine(AtomicInteger created) {
            synchronized (lock) {
                if (engine == 0) {
                    engine = created.incrementAndGet();
                }
                return engine;
            }
        }

        boolean close() {
            synchronized (lock) {
                boolean open = engine != 0;
                engine = 0;
                return open;
            }
        }
    }
}
