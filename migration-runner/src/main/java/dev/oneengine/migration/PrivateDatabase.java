package dev.oneengine.migration;

import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** An empty database of its own for each connection: to look at scripts alone. Stateless and thread-safe. */
final class PrivateDatabase {
    private PrivateDatabase() {}

    static DataSource empty() {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite::memory:");
        return dataSource;
    }
}
