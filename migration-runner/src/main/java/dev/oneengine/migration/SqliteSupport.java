package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;

/** SQLite in memory. The engine queues all writers, so a run needs no additional lock. Immutable and thread-safe. */
class SqliteSupport implements DatabaseSupport {
    @Override
    public Connection forReading(Connection connection) throws SQLException {
        return ReadOnlyMode.onSqlite(connection);
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
