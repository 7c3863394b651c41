package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cache whose {@link #engine} is right, with the {@code evict} that comes to mind first: out of the map, then close.
 *
 * <p>Not thread-safe: a thread that has got its holder from the map and not yet the lock creates its engine in a holder that
 * the map no longer knows. Nobody will ever close it, and the next call makes another.
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

        /** The number of the engine; 0 is none. */
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
