package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl.Kind;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection that only reads and leaves no trace, also not in a session that a pool or a proxy gives to other clients. On
 * PostgreSQL all is one read-only transaction, rolled back at the end. Confined to its thread.
 */
final class Inspection implements OneTransaction.Owner {
    private final Connection connection;
    private final Kind kind;

    /** Whether {@code query_only} is on, because SQLite's plain driver has no other way. */
    private boolean byPragma;

    private Inspection(Connection connection, Kind kind) {
        this.connection = connection;
        this.kind = kind;
    }

    static Connection on(Connection connection, Kind kind) throws SQLException {
        Inspection inspection = new Inspection(connection, kind);
        inspection.begin();
        return OneTransaction.view(connection, inspection);
    }

    private void begin() throws SQLException {
        connection.setAutoCommit(kind != Kind.POSTGRESQL);
        if (kind == Kind.POSTGRESQL) {
            OneTransaction.execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY");
        } else {
            setReadOnly(true);
        }
    }

    private void setReadOnly(boolean on) throws SQLException {
        if (!byPragma) {
            try {
                connection.setReadOnly(on);
                return;
            } catch (SQLException e) {
                if (!kind.isSqlite()) {
                    throw e;
                }
                byPragma = true;
            }
        }
        OneTransaction.execute(connection, "PRAGMA query_only = " + on);
    }

    @Override
    public void rollback() throws SQLException {
        if (kind == Kind.POSTGRESQL) {
            connection.rollback();
            begin();
        }
    }

    @Override
    public void closed() throws SQLException {
        try (connection) {
            if (kind == Kind.POSTGRESQL) {
                connection.rollback();
            } else {
                setReadOnly(false);
            }
            connection.setAutoCommit(true);
        }
    }
}
