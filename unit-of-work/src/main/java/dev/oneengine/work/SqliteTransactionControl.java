package dev.oneengine.work;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Controls a transaction of SQLite, which is always serialisable and can switch read-only at any time. Confined to its thread. */
final class SqliteTransactionControl extends TransactionControl {
    private boolean readOnly;

    /** Whether the connection belongs to SQLite's plain driver, which cannot switch read-only within a transaction. */
    private boolean byPragma;

    SqliteTransactionControl(Connection connection) {
        super(connection);
    }

    @Override
    void start(boolean forReading) throws SQLException {
        if (forReading) {
            readOnly = true;
            setReadOnly(true);
        }
        connection.setAutoCommit(false);
    }

    @Override
    void restore() throws SQLException {
        connection.setAutoCommit(true);
        if (readOnly || byPragma) {
            setReadOnly(false);
        }
    }

    @Override
    void rejectWrites() throws SQLException {
        setReadOnly(true);
    }

    @Override
    void allowWrites() throws SQLException {
        setReadOnly(false);
    }

    private void setReadOnly(boolean on) throws SQLException {
        if (!byPragma) {
            try {
                connection.setReadOnly(on);
                return;
            } catch (SQLException e) {
                if (!on) {
                    throw e;
                }
                byPragma = true;
            }
        }
        execute("PRAGMA query_only = " + (on ? 1 : 0));
    }

    @Override
    @Nullable String findTransactionSql(String sql) {
        return TransactionSql.find(sql, Dialect.SQLITE);
    }
}
