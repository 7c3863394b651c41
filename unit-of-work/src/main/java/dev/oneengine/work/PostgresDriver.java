package dev.oneengine.work;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOperation;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Parser;
import org.postgresql.core.TransactionState;

/** A connection of PostgreSQL's own driver, which offers more than JDBC. Confined to its thread. */
final class PostgresDriver {
    private final BaseConnection connection;

    /** The last COPY that a participant started. */
    private @Nullable CopyOperation copy;

    private PostgresDriver(BaseConnection connection) {
        this.connection = connection;
    }

    /** Returns {@code null} for the connection of another driver. */
    static @Nullable PostgresDriver of(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(BaseConnection.class)
                    ? new PostgresDriver(connection.unwrap(BaseConnection.class))
                    : null;
        } catch (LinkageError e) { // the driver is not on the classpath
            return null;
        }
    }

    BaseConnection connection() {
        return connection;
    }

    /** Does the same as {@link TransactionSql#find}, but for the text that the driver sends. */
    @Nullable String findTransactionSql(String sql) {
        boolean standard = connection.getStandardConformingStrings();
        Dialect dialect = standard ? Dialect.POSTGRESQL : Dialect.POSTGRESQL_WITH_BACKSLASHES;
        String words = TransactionSql.find(sql, dialect);
        if (words == null && sql.indexOf('{') >= 0) {
            try {
                words = TransactionSql.find(Parser.replaceProcessing(sql, true, standard), dialect);
            } catch (SQLException e) {
                return null; // the driver rejects the text for the same reason
            }
        }
        return words;
    }

    /** Whether the server has aborted the transaction and would answer COMMIT with a rollback. */
    boolean isFailed() {
        return connection.getTransactionState() == TransactionState.FAILED;
    }

    /** Whether the server says that no transaction is open. */
    boolean isIdle() {
        return connection.getTransactionState() == TransactionState.IDLE;
    }

    void copyStarted(CopyOperation started) {
        copy = started;
    }

    boolean isCopying() {
        return copy != null && copy.isActive();
    }

    /** Cancels the running COPY. */
    void cancelCopy() throws SQLException {
        if (copy != null) {
            copy.cancelCopy();
        }
    }
}
