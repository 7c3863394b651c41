package dev.oneengine.acceptance;

import java.sql.SQLException;
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
            return new MyEngineUnderTest(cache.get(url));
        }

        @Override
        public void close() throws Exception {
            cache.closeAll();
        }
    }

    record MyEngineUnderTest(MyEngine engine) implements EngineUnderTest {
        @Override
        public Identity identity() {
            return Identity.of(engine);
        }

        @Override
        public ConnectionUnderTest connect() throws SQLException {
            return JdbcConnection.open(engine.dataSource());
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
