package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Open engines by the texts they were asked for with, so that a hit needs no parsing, no lock and no look at the file system.
 *
 * <p>Thread-safe. Texts are added and removed under the lock of the holder of their engine, which keeps a text from being added
 * after the engine was retired; and a text is removed before its engine is closed.
 */
final class TextIndex {
    private static final int RECENT = 64;

    private final Object lock = new Object();

    /** Changed under the lock, so that nothing comes after the clearing; read without. */
    private final ConcurrentMap<String, Engine> all = new ConcurrentHashMap<>();

    /**
     * For each hash the text that was added last: found with fewer steps than in any map, which pays for the counting of hits.
     * Never changed but replaced, under the lock; read without.
     */
    private volatile @Nullable Entry[] recent = new Entry[RECENT];

    @GuardedBy("lock") private boolean cleared;

    private record Entry(String text, Engine engine) {}

    @SuppressWarnings({"ReferenceEquality", "StringEquality"
    }) // mostly it is the same constant, and that is quicker to see
    @Nullable Engine get(String text) {
        Entry entry = recent[slot(text)];
        if (entry != null && (entry.text == text || entry.text.equals(text))) {
            return entry.engine;
        }
        return all.get(text);
    }

    /** Adds a text, unless it is there or the index was cleared. */
    boolean add(String text, Engine engine) {
        synchronized (lock) {
            if (cleared || all.putIfAbsent(text, engine) != null) {
                return false;
            }
            replaceRecent(text, new Entry(text, engine));
            return true;
        }
    }

    void remove(String text) {
        synchronized (lock) {
            all.remove(text);
            Entry entry = recent[slot(text)];
            // Another text of the same hash may have come since: that one stays.
            if (entry != null && entry.text.equals(text)) {
                replaceRecent(text, null);
            }
        }
    }

    /** Removes all texts, for good. */
    void clear() {
        synchronized (lock) {
            cleared = true;
            all.clear();
            recent = new Entry[RECENT];
        }
    }

    @GuardedBy("lock") private void replaceRecent(String text, @Nullable Entry entry) {
        @Nullable Entry[] copy = recent.clone();
        copy[slot(text)] = entry;
        recent = copy;
    }

    private static int slot(String text) {
        return text.hashCode() & (RECENT - 1);
    }
}
