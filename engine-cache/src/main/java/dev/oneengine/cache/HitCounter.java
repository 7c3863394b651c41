package dev.oneengine.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts exactly, and for most threads without an atomic addition, which would cost several times as much as the hit that
 * it counts.
 *
 * <p>Thread-safe. A thread that comes to a free cell owns it from then on and is the only one to write it; all others share
 * an adder. Cells of threads that have ended are not given away again: a count may be slow, but not wrong.
 */
final class HitCounter {
    private static final int CELLS = 64;

    private static final VarHandle OWNER = handle("owner");
    private static final VarHandle COUNT = handle("count");

    private final Cell[] cells = new Cell[CELLS];
    private final LongAdder others = new LongAdder();

    HitCounter() {
        for (int i = 0; i < CELLS; i++) {
            cells[i] = new Cell();
        }
    }

    void increment() {
        long thread = Thread.currentThread().getId();
        Cell cell = cells[(int) thread & (CELLS - 1)];
        if (cell.owner == thread) {
            cell.count++;
        } else {
            incrementElsewhere(cell, thread);
        }
    }

    private void incrementElsewhere(Cell cell, long thread) {
        if (OWNER.compareAndSet(cell, 0L, thread)) {
            cell.count = 1;
        } else {
            others.increment();
        }
    }

    long sum() {
        long sum = others.sum();
        for (Cell cell : cells) {
            sum += (long) COUNT.getOpaque(cell);
        }
        return sum;
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(Cell.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Plain reads and writes are enough. The owner is set once, and no thread but the owner can see its own number there; the
     * count is written by the owner alone, and exact for whoever knows that its thread is done.
     */
    @SuppressWarnings("unused") // the padding, which keeps the cells of two threads out of one cache line
    private static final class Cell {
        private long owner;
        private long count;
        private long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14;
    }
}
