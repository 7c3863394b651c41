package dev.oneengine.cache;

/**
 * The specification of a cache with one database: the result of each call if all calls run one after another. The model
 * checker searches for an order of calls that explains the concurrent results. Confined to one thread.
 */
public final class SequentialEngineCache {
    private int created;
    private boolean open;
    private boolean closed;

    /** The number of the open engine, from 1; both spellings of the URL lead to the same engine. */
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

    /** Returns whether there was an engine to close. */
    public boolean evict() {
        boolean evicted = open && !closed;
        open = false;
        return evicted;
    }

    /** Closes the first engine if it is open. */
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
