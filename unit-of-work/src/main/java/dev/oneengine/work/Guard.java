package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.internal.Throwables;
import java.io.Closeable;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import org.jspecify.annotations.Nullable;

/**
 * The rules for what participants may do with the connection of their unit. The {@link Guarded} objects ask it before each call of the
 * driver and report the result. Confined to the unit's thread, except that other threads get a clear error.
 */
final class Guard {
    /** The SQL state of "connection does not exist". */
    static final String NO_CONNECTION = "08003";

    /** The SQL state of "invalid transaction state". */
    private static final String INVALID_STATE = "25000";

    private final UnitState unit;
    final TransactionControl control;

    Guard(UnitState unit) {
        this.unit = unit;
        this.control = unit.control;
    }

    /** A call of the driver. */
    @FunctionalInterface
    interface DriverCall {
        void run() throws SQLException;
    }

    /** A call of a stream of the driver. */
    @FunctionalInterface
    interface StreamCall<T> {
        T run() throws IOException;
    }

    DatabaseUrl url() {
        return unit.url();
    }

    boolean hasEnded() {
        return unit.hasEnded();
    }

    boolean isReadOnly() {
        return unit.isReadOnly();
    }

    RollbackScope scope() {
        return unit.scope();
    }

    /** Returns why the current thread may not use the unit now, or {@code null} if it may. */
    @Nullable String refusalReason() {
        return unit.refusalReason();
    }

    /** Fails unless participants may use the connection now. */
    void check() throws SQLException {
        checkOpen();
        control.requireNoCopy();
    }

    /** Fails unless the unit is open and belongs to this thread. */
    void checkOpen() throws SQLException {
        String reason = unit.refusalReason();
        if (reason != null) {
            throw new SQLNonTransientConnectionException(reason, NO_CONNECTION);
        }
    }

    SQLException refusal(String what, String instead) {
        return new SQLNonTransientException(
                what + " is rejected: the connection belongs to the unit of work on " + unit.url() + " in thread "
                        + unit.owner.getName() + ", and only the unit ends or switches its transaction; " + instead,
                INVALID_STATE);
    }

    /** Dooms the scope: a caller that requests a rollback must not get a commit, even if it swallows this exception. */
    SQLException doomed(SQLException refusal) {
        unit.scope().doom(refusal);
        return refusal;
    }

    void checkSql(@Nullable String sql) throws SQLException {
        String words = sql == null ? null : control.findTransactionSql(sql);
        if (words != null) {
            SQLException refusal = refusal(
                    words,
                    "throw an exception to roll back, return to commit, or use nested() for a nested transaction");
            throw words.startsWith("ROLLBACK") || words.startsWith("ABORT") ? doomed(refusal) : refusal;
        }
    }

    /** Calls the driver. */
    void call(DriverCall call, String method) throws SQLException {
        try {
            call.run();
        } catch (Throwable t) {
            throw failed(t, method);
        }
        succeeded();
    }

    /** Handles a call of the driver that succeeded. */
    void succeeded() throws SQLException {
        control.succeeded();
        requireTransaction(null);
    }

    /** Handles a call of the driver that failed. Returns the failure if JDBC declares it, and otherwise throws it. */
    SQLException failed(Throwable failure, String method) throws SQLException {
        if (failure instanceof Error || (failure instanceof RuntimeException && mayTalkToServer(method))) {
            unit.broken(failure);
        } else {
            unit.failed(failure);
            requireTransaction(failure);
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof SQLException expected
                ? expected
                : new SQLException(Throwables.describe(failure), failure);
    }

    /** Fails if SQL ended the transaction in a way that {@link TransactionSql} does not find. */
    private void requireTransaction(@Nullable Throwable cause) throws SQLException {
        if (control.isTransactionLost()) {
            SQLException failure = new SQLNonTransientException(
                    "SQL has ended the transaction of the unit of work on " + unit.url()
                            + ": part of its work may be committed, the rest is rolled back. Let the unit end its transaction.",
                    INVALID_STATE,
                    cause);
            unit.broken(failure);
            throw failure;
        }
    }

    /** Whether an unchecked exception of a method may have interrupted the protocol with the database. */
    private static boolean mayTalkToServer(String method) {
        return method.startsWith("execute") || method.equals("next") || method.equals("close");
    }

    /** Closes the object at the end of the unit, unless it is closed before. */
    void opened(AutoCloseable object) {
        unit.lease.opened(object);
    }

    /** Closes a statement or rows, unless the end of the unit has closed them. */
    void close(AutoCloseable object, DriverCall close) throws SQLException {
        if (!unit.hasEnded()) {
            check();
            unit.lease.closed(object);
            call(close, "close");
        }
    }

    /** Calls a stream of the driver. */
    <T> T call(StreamCall<T> call) throws IOException {
        try {
            check();
            return call.run();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            unit.failed(e);
            throw e;
        } catch (RuntimeException | Error e) {
            unit.broken(e);
            throw e;
        }
    }

    /** Closes a stream, unless the end of the unit has closed it. */
    void close(Closeable stream) throws IOException {
        if (!unit.hasEnded()) {
            call(() -> {
                stream.close();
                return true;
            });
        }
    }

    /** Removes a stream from those that the end of the unit closes. */
    void closed(PendingStream stream) {
        if (unit.refusalReason() == null) {
            unit.lease.closed(stream);
        }
    }
}
