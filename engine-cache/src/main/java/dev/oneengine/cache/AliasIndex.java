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
    /** A power of two: enough for the aliases of most applications, and quick to copy. */
    private static final int SLOTS = 128;

    private final Object lock = new Object();

    /** All entries. Changed under the lock, so that nothing is added after {@link #clear}; read without it. */
    private final ConcurrentMap<String, Engine> engines = new ConcurrentHashMap<>();

    /**
     * Some of the entries, each in the slot of its hash code. Replaced under the lock, never changed. A map would need twice as many
     * reads, which is most of what a hit costs.
     */
    private volatile @Nullable Entry[] slots = new Entry[SLOTS];

    @GuardedBy("lock") private boolean withoutSlots;

    @GuardedBy("lock") private boolean cleared;

    private record Entry(String alias, Engine engine) {
        /** String.equals compares the references, too, but the JIT compiles that into a slower call. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(String other) {
            return alias == other || alias.equals(other);
        }
    }

    /** Returns the open engine of an alias if it is in the slots, or {@code null}. */
    @Nullable Engine findInSlots(String alias) {
        Entry entry = slots[slot(alias)];
        return entry != null && entry.isOf(alias) ? entry.engine : null;
    }

    /** Returns the open engine of an alias, or {@code null}. */
    @Nullable Engine find(String alias) {
        return engines.get(alias);
    }

    /** Adds an alias, unless it exists or the index was cleared. */
    boolean add(String alias, Engine engine) {
        synchronized (lock) {
            if (cleared || engines.putIfAbsent(alias, engine) != null) {
                return false;
            }
            if (!withoutSlots && slots[slot(alias)] == null) {
                setSlot(alias, new Entry(alias, engine));
            }
            return true;
        }
    }

    void remove(String alias) {
        synchronized (lock) {
            engines.remove(alias);
            if (findInSlots(alias) != null) {
                setSlot(alias, null);
            }
        }
    }

    @GuardedBy("lock") private void setSlot(String alias, @Nullable Entry entry) {
        @Nullable Entry[] changed = slots.clone();
        changed[slot(alias)] = entry;
        slots = changed;
    }

    private static int slot(String alias) {
        return alias.hashCode() & (SLOTS - 1);
    }

    /** From now on, every call of {@link #findInSlots} returns {@code null}. */
    void emptySlots() {
        synchronized (lock) {
            withoutSlots = true;
            slots = new Entry[SLOTS];
        }
    }

    /** Removes all aliases, for good. */
    void clear() {
        synchronized (lock) {
            cleared = true;
            engines.clear();
            emptySlots();
        }
    }
}
