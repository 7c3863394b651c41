package dev.oneengine.cache;

/**
 * What a cache of one database must look like to its threads: as if one call came after the other. The model checker looks
 * for such an order whenever calls ran beside each other. Confined to one thread.
 */
public final class SequentialEngineCache {
    private int created;
    private boolean open;
    private boolean closed;

    /** The number of the open engine; the first is 1, by whichever text it is asked for. */
    public int engine(int text) {
        if (closed) {
            throw new EngineClosedException("text " + text);
        }
        if (!open) {
            open = true;
            created++;
        }
        return created;
    }

    /** Whether there was an engine to close. */
    public boolean evict() {
        boolean evicted = open && !closed;
        open = false;
        return evicted;
    }

    /** Closes the first engine, if that is the open one. */
    public void closeFirst() {
        if (created == 1) {
            open = false;
        }
    }

    /** Closes everything for good. */
    public void close() {
        open = false;
        closed = true;
    }
}
