package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** SQLite in memory. The engine queues all writers, so a run needs no additional lock. Immutable and thread-safe. */
class SqliteSupport implements DatabaseSupport {
    /**
     * Returns a database of the real driver, which the engine loads anyway. A {@link StubDatabase} would take longer to
     * load.
     */
    @Override
    public final DataSource emptyDatabase() {
        try {
            SQLiteDataSource dataSource = new SQLiteDataSource();
            dataSource.setUrl("jdbc:sqlite::memory:");
            return dataSource;
        } catch (NoClassDefFoundError e) {
            return new StubDatabase(); // the engine reports the missing driver
        }
    }

    @Override
    public Connection forReading(Connection connection) throws SQLException {
        return ReadOnlyMode.ofSqlite(connection);
    }

    @Override
    public Connection forRun(Connection connection) {
        return SqliteForeignKeys.suspendedOn(connection);
    }

    @Override
    public boolean rollsBackSchemaChanges() {
        return true;
    }
}
