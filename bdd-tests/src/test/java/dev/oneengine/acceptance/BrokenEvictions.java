package dev.oneengine.acceptance;

/** Caches with correct creations that evict or close wrongly. Thread-safe. */
final class BrokenEvictions {
    private BrokenEvictions() {}

    /** Closes an evicted engine and keeps returning it. */
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

    /**
     * Claims that it has closed idle connections, but closes none. A pool that unwraps to its own wrappers hides that.
     */
    static final class IdleConnectionsKept implements CacheUnderTest {
        private final RightCache cache;

        IdleConnectionsKept(Creation creation) {
            cache = new RightCache(creation);
        }

        @Override
        public EngineUnderTest engine(String url) throws Exception {
            return new Engine(cache.engine(url));
        }

        @Override
        public Identity identity() {
            return cache.identity();
        }

        @Override
        public void close() throws Exception {
            cache.close();
        }

        private record Engine(HandMadeEngine engine) implements EngineUnderTest {
            @Override
            public Identity identity() {
                return engine.identity();
            }

            @Override
            public ConnectionUnderTest connect() throws Exception {
                return engine.connect();
            }

            @Override
            public void closeIdleConnections() {}

            @Override
            public void close() throws Exception {
                engine.close();
            }
        }
    }

    /** Forgets its engines when it is closed, and closes them only when it is closed again. */
    static final class LeftOpen extends ClosingCache {
        LeftOpen(Creation creation) {
            super(creation);
        }

        @Override
        public void close() throws Exception {
            if (rejectFromNowOn()) {
                super.close();
            }
        }
    }
}
