package dev.oneengine.acceptance;

/**
 * A correct cache that can be closed. If a thread is creating an engine at that moment, the same thread closes it.
 * Thread-safe.
 */
class ClosingCache extends RightCache {
    private volatile boolean closed;

    ClosingCache(Creation creation) {
        super(creation);
    }

    @Override
    public HandMadeEngine engine(String url) throws Exception {
        refuseIfClosed();
        HandMadeEngine engine = super.engine(url);
        if (closed) {
            engine.close();
        }
        refuseIfClosed();
        return engine;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    /** Returns whether it was closed already. */
    final boolean refuseFromNowOn() {
        boolean before = closed;
        closed = true;
        return before;
    }

    @Override
    public void close() throws Exception {
        refuseFromNowOn();
        super.close();
    }
}
