package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Whether PostgreSQL has aborted the transaction of a connection, and why. After a failed statement the server answers COMMIT with
 * a rollback, and the driver reports success. Confined to its thread.
 */
final class PostgresTransaction {
    private static final String ABORTED = "25P02";

    private final Connection connection;

    /** Knows the answer; {@code null} if a caller's pool hides the driver's connection, or it is another driver's. */
    private final @Nullable PostgresDriver driver;

    /** The first failure that may have aborted the transaction. */
    private @Nullable Throwable failure;

    PostgresTransaction(Connection connection) throws SQLException {
        this.connection = connection;
        this.driver = PostgresDriver.of(connection);
    }

    @Nullable PostgresDriver driver() {
        return driver;
    }

    /** Notes a failure of the driver or the server. */
    void failed(Throwable reason) {
        if (failure == null && (driver == null || driver.isFailed())) {
            failure = reason;
        }
    }

    /** Notes that something succeeded; it may have rolled back to a savepoint. */
    void succeeded() {
        if (failure != null && driver != null && !driver.isFailed()) {
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
            return true; // also if the connection is lost: then nothing is committed either
        }
    }
}
