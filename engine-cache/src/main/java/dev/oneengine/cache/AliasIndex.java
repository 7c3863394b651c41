package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Open engines by alias. A hit parses no URL, takes no lock and reads no file system.
 *
 * <p>Thread-safe. An alias is added and removed under the lock of its engine's holder, so none is added after the engine is
 * retired. It is removed before the engine is closed.
 */
final class AliasIndex {
    private final Object lock = new Object();

    /** Changed under the lock, so that nothing is added after {@link #clear}; read without it. */
    private final ConcurrentMap<String, Engine> engines = new ConcurrentHashMap<>();

    @GuardedBy("lock") private boolean cleared;

    /** Returns the open engine of an alias, or {@code null}. */
    @Nullable Engine find(String alias) {
        return engines.get(alias);
    }

    /** Adds an alias, unless it exists or the index was cleared. */
    boolean add(String alias, Engine engine) {
        synchronized (lock) {
            return !cleared && engines.putIfAbsent(alias, engine) == null;
        }
    }

    void remove(String alias) {
        synchronized (lock) {
            engines.remove(alias);
        }
    }

    /** Removes all aliases, for good. */
    void clear() {
        synchronized (lock) {
            cleared = true;
            engines.clear();
        }
    }
}
