package dev.oneengine.acceptance;

import org.junit.platform.suite.api.BeforeSuite;

@AcceptanceSuite
class MyCacheTest {
    @BeforeSuite
    static void choose() {
        AcceptanceKit.use(creation -> new MyCacheUnderTest(new MyCache(creation::begins)));
    }

    record MyCacheUnderTest(MyCache cache) implements CacheUnderTest {
        @Override
        public Identity identity() {
            return Identity.of(cache);
        }

        @Override
        public EngineUnderTest engine(String url) throws Exception {
            MyEngine engine = cache.get(url);
            return EngineUnderTest.of(engine, engine.dataSource(), engine::close);
        }

        @Override
        public void close() throws Exception {
            cache.closeAll();
        }
    }
}
