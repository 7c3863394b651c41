package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Connections that read an SQLite file as it is. An engine would switch it to another journal, and a connection that SQLite
 * opens as read-only leaves files beside it. Thread-safe.
 */
final class UnopenedFile extends ConnectionSource {
    private final DataSource file;

    UnopenedFile(DatabaseUrl url) {
        SQLiteDataSource source = new SQLiteDataSource(new SQLiteConfig(url.driverProperties()));
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
