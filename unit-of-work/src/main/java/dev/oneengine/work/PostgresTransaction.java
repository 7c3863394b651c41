package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Whether PostgreSQL has aborted the transaction of a connection, and why. After a failed statement the server answers COMMIT with
 * a rollback, and the driver reports success. Confined to its thread.
 */
final class PostgresTransaction {
    private static final String ABORTED = "25P02";

    private final Connection connection;

    /** The driver's connection, which knows the answer; {@code null} if a caller's pool hides it. */
    private final @Nullable BaseConnection driver;

    /** The first failure that may have aborted the transaction. */
    private @Nullable Throwable failure;

    PostgresTransaction(Connection connection) {
        this.connection = connection;
        this.driver = driver(connection);
    }

    private static @Nullable BaseConnection driver(Connection connection) {
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                BaseConnection found = connection.unwrap(BaseConnection.class);
                found.getTransactionState(); // fails here if the driver has no such method
                return found;
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            // Hidden, another driver, or another version: the server is asked.
        }
        return null;
    }

    /** Notes a failure of the driver or the server. */
    void failed(Throwable reason) {
        if (failure == null && (driver == null || isFailed(driver))) {
            failure = reason;
        }
    }

    /** Notes that something succeeded; it may have rolled back to a savepoint. */
    void succeeded() {
        if (failure != null && driver != null && !isFailed(driver)) {
            failure = null;
        }
    }

    /** Notes that the transaction was rolled back to a savepoint. */
    void rolledBackToSavepoint() {
        failure = null;
    }

    /**
     * Returns the failure that made the server abort the transaction. Costs a round trip only if the driver is hidden and something
     * has failed.
     *
     * @return {@code null} if the transaction can be committed, as far as is known
     */
    @Nullable Throwable abortion() {
        boolean aborted = driver == null ? failure != null && isRejected() : isFailed(driver);
        if (!aborted) {
            failure = null;
        } else if (failure == null) {
            failure = new SQLException("a failure that did not pass through the connection of the unit", ABORTED);
        }
        return failure;
    }

    private static boolean isFailed(BaseConnection driver) {
        return driver.getTransactionState() == TransactionState.FAILED;
    }

    private boolean isRejected() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            return false;
        } catch (SQLException e) {
            return true; // also if the connection is lost: then nothing is committed either
        }
    }
}
