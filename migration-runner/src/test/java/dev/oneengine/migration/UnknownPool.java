package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.TestSource;
import javax.sql.DataSource;

/** An engine factory whose pools hide their kind. Stateless and thread-safe. */
final class UnknownPool {
    private UnknownPool() {}

    static EngineSource open(DatabaseUrl url, EngineSettings settings) throws Exception {
        EngineSource source = EngineFactory.pooled().open(url, settings);
        return new TestSource(hide(DataSource.class, source.dataSource()), source);
    }

    /** Returns an object that does not show what it wraps. */
    static <T> T hide(Class<T> type, T target) {
        return Proxies.of(
                type,
                (self, method, arguments) ->
                        method.getName().equals("isWrapperFor") ? false : method.invoke(target, arguments));
    }
}
