package dev.oneengine.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;
import org.sqlite.SQLiteDataSource;

/** Pools on SQLite in memory as an application makes them without this library. Stateless and thread-safe. */
final class MemoryPool {
    private MemoryPool() {}

    /** A URL of a database that nobody else has. All connections of this process to it see the same rows, and wait. */
    static String memdb() {
        return "jdbc:sqlite:file:/" + UUID.randomUUID() + "?vfs=memdb";
    }

    /** The same with SQLite's older way of sharing. */
    static String sharedCache() {
        return "jdbc:sqlite:file:" + UUID.randomUUID() + "?mode=memory&cache=shared";
    }

    /**
     * Opens a pool.
     *
     * @param url the database
     * @param size how many connections there are; they are all opened now and stay, as the database lives in them
     * @param transactionMode what BEGIN says, in the words of SQLite
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
