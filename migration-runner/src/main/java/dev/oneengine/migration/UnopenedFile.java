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
 * Connections that read an SQLite file as it is. An engine would switch it to another journal. A connection that SQLite opens as
 * read-only leaves an empty log beside the file, so a URL with {@code mode=ro} gets that only where a log is there already, which
 * another connection would write to the file. Thread-safe.
 */
final class UnopenedFile extends ConnectionSource {
    private static final Pattern READ_ONLY = Pattern.compile("([?&])mode=ro(?=&|$)");

    private final DataSource file;

    /** Takes no parameters of the URL but those of SQLite itself: a pragma may be one that writes. */
    UnopenedFile(DatabaseUrl url, Duration busyTimeout) {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE); // a file that is removed meanwhile stays so
        config.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(
                hasLog(url) ? url.jdbcUrl() : READ_ONLY.matcher(url.jdbcUrl()).replaceFirst("$1mode=rw"));
        file = source;
    }

    private static boolean hasLog(DatabaseUrl url) {
        return Stream.of("-wal", "-journal").anyMatch(part -> Files.exists(Path.of(url.name() + part)));
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = file.getConnection();
        return Undo.onFailure(connection::close, () -> {
            OneTransaction.execute(connection, "PRAGMA query_only = ON");
            return connection;
        });
    }
}
