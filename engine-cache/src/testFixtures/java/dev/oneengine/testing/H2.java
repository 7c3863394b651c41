package dev.oneengine.testing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** H2, as an application would bring it: a database that the library knows nothing of. Stateless and thread-safe. */
public final class H2 {
    private static final AtomicInteger CREATED = new AtomicInteger();

    private H2() {}

    /** A cache whose factory puts HikariCP in front of any driver. */
    public static EngineCache cache() {
        return EngineCache.create(H2::open, EngineSettings.defaults());
    }

    /** Another empty database with each call. */
    public static String newUrl() {
        return "jdbc:h2:mem:created_" + CREATED.incrementAndGet();
    }

    /** What an {@link dev.oneengine.cache.EngineFactory} does. */
    public static EngineSource open(DatabaseUrl url, EngineSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.jdbcUrl());
        config.setDataSourceProperties(url.driverProperties());
        config.setMaximumPoolSize(settings.poolSize());
        HikariDataSource pool = new HikariDataSource(config);
        return new EngineSource() {
            @Override
            public DataSource dataSource() {
                return pool;
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }
}
