package dev.oneengine.cache;

import com.zaxxer.hikari.HikariConfig;
import dev.oneengine.cache.internal.SqliteFailures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** SQLite in a file, with a write-ahead log. Immutable and thread-safe. */
final class FileDatabase extends SqliteDatabase {
    private final Path file;
    private final Duration busyTimeout;

    FileDatabase(DatabaseUrl url, EngineSettings settings) throws SQLException {
        super(SqliteFileCheck.checked(url), settings, url.jdbcUrl(), properties(url), null);
        this.file = Path.of(url.name());
        this.busyTimeout = settings.busyTimeout;
    }

    private static Properties properties(DatabaseUrl url) {
        Properties properties = url.driverProperties();
        if (!SqliteFileCheck.isReadOnly(url)) {
            properties.putIfAbsent("journal_mode", "WAL");
        }
        return properties;
    }

    @Override
    public void start(HikariConfig config, Runnable openPool) throws SQLException, InterruptedException {
        if (Files.exists(file)) {
            makeFirstContact();
            openPool.run();
        } else {
            // Creates the file last, because a failure after that would leave it behind.
            config.setInitializationFailTimeout(-1);
            driver.rehearse("jdbc:sqlite::memory:");
            openPool.run();
            makeFirstContact();
        }
    }

    /** Switches the file to WAL and reads its header, on one connection: several connections at once would block each other. */
    private void makeFirstContact() throws SQLException, InterruptedException {
        try (Connection connection = firstConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA schema_version");
        }
    }

    /** Retries until the busy timeout: if two processes switch a new file to WAL together, one fails at once despite its timeout. */
    private Connection firstConnection() throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return driver.getConnection();
            } catch (SQLException e) {
                long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                if (SqliteFailures.code(e) != SqliteFailures.BUSY || waited >= busyTimeout.toMillis()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    /** Returns false: the housekeeping of a pool may wait for the file system, so it needs a separate thread. */
    @Override
    public boolean sharesHousekeeper() {
        return false;
    }
}
