package dev.oneengine.work;

import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Controls a transaction of any other database by plain JDBC. For JDBC, read-only is only a hint, so the writes of a read-only transaction
 * are rolled back. Confined to its thread.
 */
final class JdbcTransactionControl extends TransactionControl {
    private final Isolation isolation;

    /** The isolation to restore: JDBC sets it for the session, not for the transaction. */
    private int isolationBefore;

    private boolean readOnly;
    private @Nullable Savepoint beforeReading;

    JdbcTransactionControl(Connection connection, Isolation isolation) {
        super(connection);
        this.isolation = isolation;
    }

    @Override
    void start(boolean forReading) throws SQLException {
        if (forReading) {
            readOnly = true;
            connection.setReadOnly(true);
        }
        isolationBefore = connection.getTransactionIsolation();
        switchIsolation(isolation.jdbc());
        connection.setAutoCommit(false);
    }

    private void switchIsolation(int level) throws SQLException {
        if (connection.getTransactionIsolation() != level) {
            connection.setTransactionIsolation(level);
        }
    }

    @Override
    void commit() throws SQLException {
        if (readOnly) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    @Override
    void restore() throws SQLException {
        connection.setAutoCommit(true);
        if (readOnly) {
            connection.setReadOnly(false);
        }
        switchIsolation(isolationBefore);
    }

    /** Accepts writes, but {@link #allowWrites} rolls them back. */
    @Override
    void rejectWrites() throws SQLException {
        beforeReading = setSavepoint();
    }

    @Override
    void allowWrites() throws SQLException {
        Savepoint savepoint = Objects.requireNonNull(beforeReading);
        beforeReading = null;
        rollBackTo(savepoint);
    }

    @Override
    @Nullable String findTransactionSql(String sql) {
        return TransactionSql.find(sql, Dialect.POSTGRESQL);
    }
}
