package dev.oneengine.work;

import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Controls a transaction of PostgreSQL. After a failed statement the server answers COMMIT with a rollback, and the driver reports
 * success, so this class tracks whether the server has aborted the transaction. Confined to its thread.
 */
final class PostgresTransactionControl extends TransactionControl {
    private static final String ABORTED = "25P02";

    private final Isolation isolation;

    /** {@code null} if a caller's pool hides the driver's connection, or if another driver is in use. */
    private final @Nullable PostgresDriver driver;

    /** The first failure that may have aborted the transaction. */
    private @Nullable Throwable failure;

    private @Nullable Savepoint beforeReading;

    PostgresTransactionControl(Connection connection, Isolation isolation) throws SQLException {
        super(connection);
        this.isolation = isolation;
        this.driver = PostgresDriver.of(connection);
    }

    @Nullable PostgresDriver driver() {
        return driver;
    }

    /**
     * Sets isolation and access within the transaction. A setting of the session would outlive the unit. Behind a proxy
     * such as PgBouncer, it would also reach other clients. Every unit sends the command, because a client cannot know
     * the default of the session: server, database, role, URL and proxy can each change it. {@code setReadOnly} is no
     * alternative: depending on the driver's parameter {@code readOnlyMode} it sends this, or a setting of the session,
     * or nothing.
     */
    @Override
    void start(boolean readOnly) throws SQLException {
        connection.setAutoCommit(false);
        String level = switch (isolation) {
            case READ_COMMITTED -> "READ COMMITTED";
            case REPEATABLE_READ -> "REPEATABLE READ";
            case SERIALIZABLE -> "SERIALIZABLE";
        };
        execute("SET TRANSACTION ISOLATION LEVEL " + level + (readOnly ? ", READ ONLY" : ""));
    }

    @Override
    void rollback() throws SQLException {
        cancelCopy();
        super.rollback();
    }

    @Override
    void restore() throws SQLException {
        connection.setAutoCommit(true);
    }

    /** PostgreSQL does not lift read-only before the end of a transaction, but a rollback to a savepoint does. */
    @Override
    void rejectWrites() throws SQLException {
        beforeReading = setSavepoint();
        execute("SET LOCAL transaction_read_only = on");
    }

    @Override
    void allowWrites() throws SQLException {
        Savepoint savepoint = Objects.requireNonNull(beforeReading);
        beforeReading = null;
        rollBackTo(savepoint);
    }

    @Override
    Savepoint setSavepoint() throws SQLException {
        requireCopyEnded();
        try {
            return super.setSavepoint();
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    @Override
    void releaseSavepoint(Savepoint savepoint) throws SQLException {
        requireCopyEnded();
        super.releaseSavepoint(savepoint);
    }

    @Override
    void rollBackTo(Savepoint savepoint) throws SQLException {
        cancelCopy();
        super.rollBackTo(savepoint);
        failure = null;
    }

    /** Searches the text in the form in which the driver sends it. */
    @Override
    @Nullable String findTransactionSql(String sql) {
        return driver == null ? TransactionSql.find(sql, Dialect.POSTGRESQL) : driver.findTransactionSql(sql);
    }

    @Override
    void requireNoCopy() throws SQLException {
        if (driver != null && driver.isCopying()) {
            throw new SQLException("A COPY runs on this connection; end or cancel it first");
        }
    }

    @Override
    void requireCopyEnded() throws SQLException {
        if (driver != null && driver.isCopying()) {
            driver.cancelCopy();
            SQLException unended = new SQLException("A COPY was left open and was cancelled; end or cancel each COPY");
            failed(unended);
            throw unended;
        }
    }

    private void cancelCopy() throws SQLException {
        if (driver != null && driver.isCopying()) {
            driver.cancelCopy();
        }
    }

    @Override
    void failed(Throwable reason) {
        if (failure == null && (driver == null || driver.isFailed())) {
            failure = reason;
        }
    }

    /** A call that succeeded may have rolled back to a savepoint, which revives the transaction. */
    @Override
    void succeeded() {
        if (failure != null && driver != null && !driver.isFailed()) {
            failure = null;
        }
    }

    /** Asks the driver. Asks the server only if the driver is hidden and a call has failed, as that costs a round trip. */
    @Override
    @Nullable Throwable abortion() {
        boolean aborted = driver == null ? failure != null && isRejected() : driver.isFailed();
        if (!aborted) {
            failure = null;
        } else if (failure == null) {
            failure = new SQLException("a failure that did not pass through the connection of the unit", ABORTED);
        }
        return failure;
    }

    private boolean isRejected() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            return false;
        } catch (SQLException e) {
            return true; // also if the connection is lost, because then nothing is committed either
        }
    }

    @Override
    boolean isTransactionLost() {
        return driver != null && driver.isIdle();
    }
}
