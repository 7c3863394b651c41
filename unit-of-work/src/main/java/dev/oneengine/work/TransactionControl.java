package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.EngineSettings.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Starts, restricts and ends the transaction of a pooled connection. One subclass for each kind of database holds all that differs
 * between databases in a unit of work. Confined to its thread.
 */
abstract class TransactionControl {
    final Connection connection;

    TransactionControl(Connection connection) {
        this.connection = connection;
    }

    /** Selects the subclass for a kind of database. No other code does that. */
    static TransactionControl of(Connection connection, Kind kind, Isolation isolation) throws SQLException {
        return switch (kind) {
            case SQLITE_MEMORY, SQLITE_FILE -> new SqliteTransactionControl(connection);
            case POSTGRESQL -> new PostgresTransactionControl(connection, isolation);
            case OTHER -> new JdbcTransactionControl(connection, isolation);
        };
    }

    /** Starts the transaction. */
    abstract void start(boolean readOnly) throws SQLException;

    /** Commits. If that fails, the transaction may still be open. */
    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    /** Restores the state that the connection had before {@link #start}. */
    abstract void restore() throws SQLException;

    /** Makes the rest of the transaction read-only, until {@link #allowWrites}. */
    abstract void rejectWrites() throws SQLException;

    /** Reverts {@link #rejectWrites}. */
    abstract void allowWrites() throws SQLException;

    Savepoint setSavepoint() throws SQLException {
        return connection.setSavepoint();
    }

    void releaseSavepoint(Savepoint savepoint) throws SQLException {
        connection.releaseSavepoint(savepoint);
    }

    /** Rolls back to a savepoint and releases it. */
    void rollBackTo(Savepoint savepoint) throws SQLException {
        connection.rollback(savepoint);
        connection.releaseSavepoint(savepoint);
    }

    /** Returns the first words of the first statement in a text that only the unit may run, or {@code null}. */
    abstract @Nullable String findTransactionSql(String sql);

    /** Fails while a COPY of PostgreSQL runs on the connection: any other use would block for ever. */
    void requireNoCopy() throws SQLException {}

    /** Cancels a running COPY and fails if there is one. */
    void requireCopyEnded() throws SQLException {}

    /** Notes that a call of a participant failed. */
    void failed(Throwable failure) {}

    /** Notes that a call of a participant succeeded. */
    void succeeded() {}

    /** Returns the failure that made the database abort the transaction, or {@code null}. A commit would lose its work. */
    @Nullable Throwable abortion() {
        return null;
    }

    /** Whether the driver knows that no transaction is open any more. */
    boolean isTransactionLost() {
        return false;
    }

    final void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whether a failure made the database roll the transaction back, as SQLite does on a full disk. */
    static boolean hasRolledBack(Throwable failure) {
        try {
            SQLException next = failure instanceof SQLException first ? first.getNextException() : null;
            while (next != null && !(next instanceof SQLTransactionRollbackException)) {
                next = next.getNextException();
            }
            return next != null;
        } catch (Throwable t) {
            return false; // a failure whose methods throw says nothing
        }
    }
}
