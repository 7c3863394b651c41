package dev.oneengine.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;
import org.sqlite.SQLiteDataSource;

/** Opens pools on SQLite in memory without this library. Stateless and thread-safe. */
final class MemoryPool {
    private MemoryPool() {}

    /** Returns the URL of a new memdb database. All connections of this process to it share its rows and wait for locks. */
    static String memdb() {
        return "jdbc:sqlite:file:/" + UUID.randomUUID() + "?vfs=memdb";
    }

    /** Returns the URL of a new database in shared-cache mode, SQLite's older way of sharing. */
    static String sharedCache() {
        return "jdbc:sqlite:file:" + UUID.randomUUID() + "?mode=memory&cache=shared";
    }

    /**
     * Opens a pool.
     *
     * @param url the database
     * @param size the number of connections; all stay open, because the database lives in them
     * @param transactionMode SQLite's mode of {@code BEGIN}
     */
    static HikariDataSource open(String url, int size, String transactionMode) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(url);
        source.getConfig().setBusyTimeout(5_000);
        source.getConfig().setTransactionMode(transactionMode);
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMaxLifetime(0);
        config.setIdleTimeout(0);
        return new HikariDataSource(config);
    }
}
