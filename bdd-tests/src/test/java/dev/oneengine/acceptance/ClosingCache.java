package dev.oneengine.acceptance;

/**
 * A correct cache that can be closed. A thread that is creating an engine during the close also closes it.
 * Thread-safe.
 */
class ClosingCache extends RightCache {
    private volatile boolean closed;

    ClosingCache(Creation creation) {
        super(creation);
    }

    @Override
    public HandMadeEngine engine(String url) throws Exception {
        rejectIfClosed();
        HandMadeEngine engine = super.engine(url);
        if (closed) {
            engine.close();
        }
        rejectIfClosed();
        return engine;
    }

    private void rejectIfClosed() {
        if (closed) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    /** Returns whether it was closed already. */
    final boolean rejectFromNowOn() {
        boolean before = closed;
        closed = true;
        return before;
    }

    @Override
    public void close() throws Exception {
        rejectFromNowOn();
        super.close();
    }
}
