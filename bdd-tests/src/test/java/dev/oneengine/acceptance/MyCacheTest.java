package dev.oneengine.acceptance;

import javax.sql.DataSource;
import org.junit.platform.suite.api.BeforeSuite;

@AcceptanceSuite
class MyCacheTest {
    @BeforeSuite
    static void choose() {
        AcceptanceKit.use(creation -> new MyCacheUnderTest(new MyCache(creation::begins)));
    }

    record MyCacheUnderTest(MyCache identity) implements CacheUnderTest {
        @Override
        public EngineUnderTest engine(String url) throws Exception {
            return new MyEngineUnderTest(identity.get(url));
        }

        @Override
        public void close() throws Exception {
            identity.closeAll();
        }
    }

    record MyEngineUnderTest(MyEngine identity) implements EngineUnderTest {
        @Override
        public DataSource dataSource() {
            return identity.dataSource();
        }

        @Override
        public void close() {
            identity.close();
        }
    }
}
