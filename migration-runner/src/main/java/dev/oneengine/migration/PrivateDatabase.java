package dev.oneengine.migration;

import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** An empty database of SQLite for each connection, in the place of a file that does not exist. Stateless and thread-safe. */
final class PrivateDatabase {
    private PrivateDatabase() {}

    static DataSource empty() {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite::memory:");
        return dataSource;
    }
}
