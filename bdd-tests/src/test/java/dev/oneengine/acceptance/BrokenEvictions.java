package dev.oneengine.acceptance;

/** Caches with correct creations that evict or close wrongly. Thread-safe. */
final class BrokenEvictions {
    private BrokenEvictions() {}

    /** Closes an evicted engine and goes on returning it. */
    static final class ClosedButKept extends RightCache {
        ClosedButKept(Creation creation) {
            super(creation);
        }

        /** Waits for a creation in progress. */
        @Override
        public void evict(String url) throws Exception {
            engine(url).close();
        }
    }

    /** Forgets an evicted engine without closing it. */
    static final class ForgottenButOpen extends RightCache {
        ForgottenButOpen(Creation creation) {
            super(creation);
        }

        @Override
        void retire(HandMadeEngine engine) {}
    }

    /** Forgets its engines when it is closed, and closes them only when it is closed again. */
    static final class LeftOpen extends ClosingCache {
        LeftOpen(Creation creation) {
            super(creation);
        }

        @Override
        public void close() throws Exception {
            if (refuseFromNowOn()) {
                super.close();
            }
        }
    }
}
