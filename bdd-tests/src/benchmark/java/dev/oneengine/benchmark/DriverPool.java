package dev.oneengine.benchmark;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The baseline: HikariCP on the driver itself, with the pool size, the timeouts and the pragmas that engines have. A test compares
 * them. This class loads none of the library's classes, because programs without the library do not either. Stateless and
 * thread-safe.
 */
final class DriverPool {
    static final int POOL_SIZE = 10;
    static final int MINIMUM_IDLE = 1;
    static final int CONNECTION_TIMEOUT_MILLIS = 10_000;
    private static final int BUSY_TIMEOUT_MILLIS = 5_000;

    private DriverPool() {}

    /** The driver's properties on SQLite in memory. */
    static Map<String, String> inMemory() {
        Map<String, String> properties = new TreeMap<>();
        properties.put("busy_timeout", String.valueOf(BUSY_TIMEOUT_MILLIS));
        properties.put("foreign_keys", "true");
        properties.put("transaction_mode", "IMMEDIATE");
        return properties;
    }

    /** The driver's properties on a file of SQLite. */
    static Map<String, String> inFile() {
        Map<String, String> properties = inMemory();
        properties.put("journal_mode", "WAL");
        return properties;
    }

    static String memoryUrl(String name) {
        return "jdbc:sqlite:file:/" + name + "?vfs=memdb";
    }

    /** Opens a pool on SQLite in memory. The caller holds the anchor, a connection that keeps the database alive. */
    static HikariDataSource openMemory(String name) {
        HikariConfig config = config(memoryUrl(name), inMemory());
        // In-memory connections never break, so they need no maximum lifetime.
        config.setIdleTimeout(0);
        config.setMaxLifetime(0);
        config.setKeepaliveTime(0);
        return new HikariDataSource(config);
    }

    static HikariDataSource openFile(String path) {
        return new HikariDataSource(config("jdbc:sqlite:" + path, inFile()));
    }

    /**
     * Opens a pool on PostgreSQL.
     *
     * @param serialisable whether all sessions are serialisable, as units of work are
     */
    static HikariDataSource openPostgres(String url, boolean serialisable) {
        HikariConfig config = config(url, Map.of());
        if (serialisable) {
            config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        }
        return new HikariDataSource(config);
    }

    static HikariDataSource openH2(String name) {
        return new HikariDataSource(config("jdbc:h2:mem:" + name, Map.of()));
    }

    private static HikariConfig config(String url, Map<String, String> driverProperties) {
        Properties properties = new Properties();
        properties.putAll(driverProperties);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setDataSourceProperties(properties);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(MINIMUM_IDLE);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        return config;
    }

    /** Describes the baseline in Markdown. */
    static String description() {
        return """
                *Plain JDBC on the driver* is a HikariCP pool of the driver's own connections, and the least code that is correct: \
                `setAutoCommit(false)`, the statements, `commit()`, `rollback()` on any exception, `setAutoCommit(true)`.

                | | |
                |---|---|
                | in memory | `%s`, one more connection as an anchor |
                | in a file | `jdbc:sqlite:PATH` |
                | driver properties | `%s`; in a file `%s` |
                | pool | maximumPoolSize %d, minimumIdle %d, connectionTimeout %d ms, as engines have |
                """.formatted(
                        memoryUrl("NAME"), inMemory(), inFile(), POOL_SIZE, MINIMUM_IDLE, CONNECTION_TIMEOUT_MILLIS);
    }

    /** Opens a connection that keeps a database in memory alive. */
    static Connection anchor(String name) throws SQLException {
        return DriverManager.getConnection(memoryUrl(name));
    }
}
