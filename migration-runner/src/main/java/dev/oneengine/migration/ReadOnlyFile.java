package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/**
 * Connections that read an SQLite file and do not change it. An engine would switch the file to another journal mode.
 *
 * <p>A connection in SQLite's mode {@code ro} creates an empty log beside the file. So a URL with {@code mode=ro} gets
 * that mode only if the file already has a log. Without the mode, the connection would then write the log to the file.
 * Thread-safe.
 */
final class ReadOnlyFile extends ConnectionOnlyDataSource {
    private static final Pattern MODE_RO = Pattern.compile("([?&])mode=ro(?=&|$)");

    private final DataSource file;

    /** Accepts only SQLite's own parameters of the URL: a pragma may write. */
    ReadOnlyFile(DatabaseUrl url, Duration busyTimeout) {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE); // a file that is deleted meanwhile must not reappear
        config.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(
                hasLog(url) ? url.jdbcUrl() : MODE_RO.matcher(url.jdbcUrl()).replaceFirst("$1mode=rw"));
        file = source;
    }

    private static boolean hasLog(DatabaseUrl url) {
        return Stream.of("-wal", "-journal").anyMatch(suffix -> Files.exists(Path.of(url.name() + suffix)));
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = file.getConnection();
        return Cleanup.onFailure(connection::close, () -> {
            Jdbc.execute(connection, "PRAGMA query_only = ON");
            return connection;
        });
    }
}
