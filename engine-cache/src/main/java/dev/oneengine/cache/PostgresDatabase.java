package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import dev.oneengine.cache.DriverDataSource.Connector;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A database of a PostgreSQL server. Immutable and thread-safe. */
final class PostgresDatabase implements PooledDatabase {
    private final DatabaseUrl url;
    private final DriverDataSource driver;
    private final EngineSettings.@Nullable Isolation isolation;

    PostgresDatabase(DatabaseUrl url, EngineSettings settings) throws SQLException {
        this.url = url;
        this.isolation = settings.isolation;
        Driver loaded = DriverLoader.load("org.postgresql.Driver", url);
        Properties properties = url.driverProperties();
        PostgresTimeouts.configure(properties, settings);
        Connector connector = isolation == null ? loaded::connect : PgBouncerCheck.rejecting(loaded::connect);
        this.driver = new DriverDataSource(
                (jdbcUrl, copy) -> PostgresTimeouts.connect(connector, jdbcUrl, copy), url.jdbcUrl(), properties, null);
    }

    @Override
    public DriverDataSource driver() {
        return driver;
    }

    @Override
    public void configure(HikariConfig config) {
        if (isolation != null) {
            config.setTransactionIsolation("TRANSACTION_" + isolation.name());
        }
        config.setExceptionOverride(new PostgresEvictionRule(url, driver::isClosed));
    }

    @Override
    public void start(HikariConfig config, Runnable openPool) throws SQLException {
        driver.connectEarly();
        openPool.run();
    }

    /** Returns false: the housekeeping of a pool may wait for the server, so it needs a separate thread. */
    @Override
    public boolean sharesHousekeeper() {
        return false;
    }

    @Override
    public boolean closesConnectionsFirst() {
        return false;
    }
}
