package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Open engines by the texts they were asked for with, and how often they were found: so that a hit needs no parsing, no lock
 * and no look at the file system, and for most threads not even an atomic addition, which would cost more than all the rest.
 *
 * <p>Thread-safe. Texts are added and removed under the lock of the holder of their engine, which keeps a text from being added
 * after the engine was retired; and a text is removed before its engine is closed.
 */
final class TextIndex {
    private static final int CELLS = 64;

    private final Object lock = new Object();

    /** Changed under the lock, so that nothing comes after the clearing; read without. */
    private final ConcurrentMap<String, Entry> all = new ConcurrentHashMap<>();

    private final Cell[] cells = new Cell[CELLS];

    /** The hits of threads that have no cell. */
    private final LongAdder otherHits = new LongAdder();

    @GuardedBy("lock") private boolean cleared;

    TextIndex() {
        for (int i = 0; i < CELLS; i++) {
            cells[i] = new Cell();
        }
    }

    /** The engine of a text, if it is there: that is a hit. */
    @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // mostly it is the same constant, and quicker to see
    @Nullable Engine hit(String text) {
        long thread = Thread.currentThread().getId();
        Cell cell = cells[(int) thread & (CELLS - 1)];
        if (cell.owner == thread) {
            Entry entry = cell.last;
            if (entry != null && (entry.text == text || entry.text.equals(text))) {
                Engine engine = entry.engine;
                if (engine != null) {
                    cell.hits++;
                    return engine;
                }
            }
        }
        return search(text, cell, thread);
    }

    private @Nullable Engine search(String text, Cell cell, long thread) {
        Entry entry = all.get(text);
        Engine engine = entry == null ? null : entry.engine;
        if (engine != null && count(cell, thread)) {
            cell.last = entry;
        }
        return engine;
    }

    /** Counts a hit that was found elsewhere. */
    void countHit() {
        long thread = Thread.currentThread().getId();
        count(cells[(int) thread & (CELLS - 1)], thread);
    }

    private boolean count(Cell cell, long thread) {
        if (cell.owner == thread || Cell.OWNER.compareAndSet(cell, 0L, thread)) {
            cell.hits++;
            return true;
        }
        otherHits.increment();
        return false;
    }

    /** All hits so far: exact for those of threads that are known to be done. */
    long hits() {
        long sum = otherHits.sum();
        for (Cell cell : cells) {
            sum += (long) Cell.HITS.getOpaque(cell);
        }
        return sum;
    }

    /** Adds a text, unless it is there or the index was cleared. */
    boolean add(String text, Engine engine) {
        synchronized (lock) {
            return !cleared && all.putIfAbsent(text, new Entry(text, engine)) == null;
        }
    }

    void remove(String text) {
        synchronized (lock) {
            Entry removed = all.remove(text);
            if (removed != null) {
                removed.engine = null;
            }
        }
    }

    /** Removes all texts, for good. */
    void clear() {
        synchronized (lock) {
            cleared = true;
            all.values().forEach(entry -> entry.engine = null);
            all.clear();
        }
    }

    private static final class Entry {
        private final String text;

        /** Taken away when the text is removed: a thread may remember an entry for ever. */
        private volatile @Nullable Engine engine;

        Entry(String text, Engine engine) {
            this.text = text;
            this.engine = engine;
        }
    }

    /**
     * What one thread has found: its own, once it has come to a free cell. Cells of threads that have ended are not given away
     * again: a hit may be slower, but no count wrong.
     *
     * <p>Plain reads and writes are enough. The owner is set once, and no thread but the owner can see its own number there; the
     * rest is written by the owner alone, and of that others read only the hits.
     */
    @SuppressWarnings("unused") // the padding, which keeps the cells of two threads out of one cache line
    private static final class Cell {
        static final VarHandle OWNER = handle("owner");
        static final VarHandle HITS = handle("hits");

        private long owner;
        private long hits;

        private @Nullable Entry last;
        private long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14;

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(Cell.class, field, long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
