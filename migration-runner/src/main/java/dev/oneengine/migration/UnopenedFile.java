package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Connections that read an SQLite file as it is. An engine would switch it to another journal, and a connection that SQLite
 * opens as read-only leaves files beside it. Thread-safe.
 */
final class UnopenedFile extends ConnectionSource {
    private final DataSource file;

    /** Takes no parameters of the URL but those of SQLite itself: a pragma may be one that writes. */
    UnopenedFile(DatabaseUrl url, Duration busyTimeout) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url.jdbcUrl());
        file = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = file.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA query_only = ON");
        }
        return connection;
    }
}
