package dev.oneengine.testing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 with a custom engine factory: a database that this library does not support itself. Stateless and thread-safe. */
public final class H2 {
    private static final AtomicInteger CREATED = new AtomicInteger();

    private H2() {}

    /** Creates a cache whose factory opens a HikariCP pool on any driver. */
    public static EngineCache cache() {
        return EngineCache.create(H2::open, EngineSettings.defaults());
    }

    /** Returns the URL of a new empty database at each call. */
    public static String newUrl() {
        return "jdbc:h2:mem:created_" + CREATED.incrementAndGet();
    }

    /** Opens the connections, as {@link dev.oneengine.cache.EngineFactory#open} does. */
    public static EngineSource open(DatabaseUrl url, EngineSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.jdbcUrl());
        config.setDataSourceProperties(url.driverProperties());
        config.setMaximumPoolSize(settings.poolSize());
        HikariDataSource pool = new HikariDataSource(config);
        return new TestSource(pool, pool);
    }
}
