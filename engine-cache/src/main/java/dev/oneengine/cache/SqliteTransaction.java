package dev.oneengine.cache;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;

/**
 * The transactions of one SQLite connection. {@link StatementRunner} runs the statements in them.
 *
 * <ul>
 *   <li>{@code BEGIN} runs before the first statement. It is {@code IMMEDIATE}, so that a transaction that reads first can still write.
 *       On a read-only connection it is {@code DEFERRED}, with {@code query_only}. A {@code BEGIN} that fails changes nothing.
 *   <li>Transactions wait in the queue before they wait for SQLite's lock. A transaction has its turn from {@code BEGIN} to its end, a
 *       single statement until its rows are read.
 *   <li>{@code COMMIT} and {@code ROLLBACK} end all open result sets, which would keep the lock, and begin nothing.
 *   <li>After some failures SQLite rolls back by itself. Then the failure has an {@link SQLTransactionRollbackException} as its next
 *       exception, only a rollback is possible, and {@code commit} fails.
 *   <li>If SQLite cannot report whether it has rolled back, no statement runs until a rollback.
 * </ul>
 *
 * <p>Confined to the thread that uses the connection, except {@link #leaveIfIdle}.
 */
final class SqliteTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteTransaction.class);

    /** The SQL state of "invalid transaction state". */
    private static final String INVALID_STATE = "25000";

    /** The SQL state of "transaction rollback". */
    private static final String ROLLED_BACK = "40000";

    /** The SQL state of "connection failure". */
    private static final String UNUSABLE = "08006";

    final OpenCursors cursors = new OpenCursors();
    private final SQLiteConnection connection;
    private final ConnectionTurn turn;
    private final QueryOnly queryOnly;
    private final TransactionCommands commands;

    /** The lock of the {@link StatementRunner}. */
    private final ReentrantLock use;

    /** Whether a {@code BEGIN} or an outermost {@code SAVEPOINT} is in effect. */
    private boolean open;

    /** Whether the open transaction began as a reader, and so can never write. */
    private boolean openReadOnly;

    /** Why SQLite has rolled back the transaction, or may have. The user has not been informed yet. */
    private @Nullable Throwable lost;

    /** Whether SQLite could not report if the transaction is still open. Then {@link #open} is set, so that a rollback follows. */
    private boolean unknown;

    SqliteTransaction(SQLiteConnection connection, ConnectionTurn turn, ReentrantLock use) throws SQLException {
        this.connection = connection;
        this.turn = turn;
        this.use = use;
        this.queryOnly = new QueryOnly(connection.getDatabase());
        this.commands = new TransactionCommands(connection, cursors);
    }

    /**
     * Begins a transaction before a statement, unless one is open.
     *
     * @param seconds the longest wait for a turn, or 0 for the busy timeout
     */
    void begin(SqlKind kind, int seconds) throws SQLException {
        if (unknown) {
            requireRollback(kind);
        }
        if (lost != null && kind.control() && !kind.verb().equals("rollback")) {
            throw cannotCommit(lost);
        }
        if (isReadOnly() && kind.verb().equals("restore")) {
            throw DB.newSQLException(
                    SQLiteErrorCode.SQLITE_READONLY.code,
                    "cannot restore on a read-only connection to " + turn.database());
        }
        if (open || isAutoCommit()) {
            queryOnly.applyFor(kind);
            takeTurn(kind.writes() && !isReadOnly(), seconds);
        } else {
            beginTransaction(kind, seconds);
            queryOnly.applyFor(kind);
        }
    }

    private void requireRollback(SqlKind kind) throws SQLException {
        if (!kind.verb().equals("rollback")) {
            throw new SQLException(
                    "Cannot execute a statement on " + turn.database()
                            + ": it is unknown whether SQLite has rolled back"
                            + " the transaction because of an earlier failure (" + lost
                            + "); roll back and repeat the whole transaction",
                    INVALID_STATE,
                    lost);
        }
        rollbackInSqlite();
    }

    private void beginTransaction(SqlKind kind, int seconds) throws SQLException {
        TransactionMode mode = connection.getConnectionConfig().getTransactionMode();
        // The owner of a lent writing turn will write, so the transaction begins as a writer.
        boolean write = turn.isForWriting() || (!isReadOnly() && (mode != TransactionMode.DEFERRED || kind.writes()));
        takeTurn(write, seconds);
        int busyTimeout = connection.getBusyTimeout();
        try {
            if (seconds > 0) {
                connection.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, seconds * 1_000L));
            }
            if (write) {
                queryOnly.apply(false);
            }
            commands.begin(write, mode);
            open = true;
            openReadOnly = !write && isReadOnly();
        } catch (SQLException e) {
            turn.throwIfEnded(e);
            throw e;
        } finally {
            if (seconds > 0) {
                connection.setBusyTimeout(busyTimeout);
            }
            leaveIfIdle();
        }
    }

    /** Waits for a turn, unless the connection has it already. */
    void takeTurn(boolean write, int seconds) throws SQLException {
        if (turn.needs(write)) {
            StackReserve.check();
        }
        turn.enter(
                write,
                seconds > 0
                        ? Duration.ofSeconds(seconds)
                        : Duration.ofMillis(Math.max(0, connection.getBusyTimeout())));
    }

    /** Notes what a statement may have changed. */
    void executed(SqlKind kind) throws SQLException {
        if (kind.control()) {
            askWhetherOpen();
            if (!open && kind.verb().equals("rollback")) {
                lost = null;
            }
        }
        notePragma(kind);
    }

    /** Notes a pragma that may make the connection read-only. */
    void notePragma(SqlKind kind) {
        queryOnly.note(kind);
    }

    /**
     * Checks whether a failure has ended the transaction.
     *
     * @param maybeCommitted whether the SQL that failed may have committed or rolled back the transaction itself
     */
    void failed(Throwable failure, boolean maybeCommitted) {
        if (!open) {
            return;
        }
        try {
            askWhetherOpen();
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
            lost = failure;
        }
        if (maybeCommitted || (open && !unknown)) {
            return;
        }
        if (!isAutoCommit()) {
            lost = failure;
        }
        if (failure instanceof SQLException sql) {
            sql.setNextException(new SQLTransactionRollbackException(
                    "SQLite has rolled back the transaction on " + turn.database()
                            + (unknown ? ", or it must be rolled back now" : "") + "; none of its changes are kept",
                    ROLLED_BACK));
        }
    }

    /** If SQLite does not answer, nothing runs after this except a rollback. */
    private void askWhetherOpen() throws SQLException {
        open = true;
        unknown = true;
        try {
            open = commands.isOpen();
            unknown = false;
        } catch (Throwable t) {
            lost = t;
            throw t;
        }
    }

    private boolean isAutoCommit() {
        return connection.getConnectionConfig().isAutoCommit();
    }

    void setAutoCommit(boolean autoCommit) throws SQLException {
        use.lock();
        try {
            if (autoCommit && !isAutoCommit()) {
                commit();
            }
            connection.getConnectionConfig().setAutoCommit(autoCommit);
        } finally {
            use.unlock();
        }
    }

    /** Commits. If that fails, either the transaction is still open, or the exception says that it was rolled back. */
    void commit() throws SQLException {
        use.lock();
        try {
            commitAlone();
        } finally {
            use.unlock();
        }
    }

    private void commitAlone() throws SQLException {
        requireTransaction("commit");
        cursors.end();
        Throwable reason = lost;
        if (reason != null) {
            rollback();
            throw cannotCommit(reason);
        }
        try {
            if (open) {
                commands.commit();
                open = false;
            }
        } catch (Throwable t) {
            failed(t, false);
            if (!unknown) {
                lost = null; // this exception says so
            }
            turn.throwIfEnded(t);
            throw t;
        } finally {
            leaveIfIdle();
        }
    }

    private SQLException cannotCommit(Throwable reason) {
        return new SQLTransactionRollbackException(
                "Cannot commit on " + turn.database() + ": SQLite had rolled back the transaction because of an earlier"
                        + " failure (" + reason.getMessage() + "); repeat the whole transaction",
                ROLLED_BACK,
                reason);
    }

    void rollback() throws SQLException {
        requireTransaction("roll back");
        rollbackIfOpen();
    }

    /** Rolls back an open transaction, also one that SQL has begun in auto-commit mode. */
    void rollbackIfOpen() throws SQLException {
        use.lock();
        try {
            cursors.end();
            if (open) {
                rollbackInSqlite();
            }
            lost = null;
        } finally {
            leaveIfIdle();
            use.unlock();
        }
    }

    private void rollbackInSqlite() throws SQLException {
        commands.rollback();
        open = false;
        unknown = false;
    }

    /** Fails in auto-commit mode. */
    void requireTransaction(String what) throws SQLException {
        if (isAutoCommit()) {
            throw new SQLException(
                    "Cannot " + what + " on " + turn.database()
                            + " in auto-commit mode; call setAutoCommit(false) first",
                    INVALID_STATE);
        }
    }

    boolean isOpen() {
        return open;
    }

    boolean isReadOnly() {
        return queryOnly.isRequested();
    }

    /** Switches the read-only mode. A transaction that may write can switch it in both directions. */
    void setReadOnly(boolean on) throws SQLException {
        if (open && openReadOnly && !on) {
            throw new SQLException(
                    "The read-only transaction on " + turn.database() + " cannot start to write; end it first",
                    INVALID_STATE);
        }
        queryOnly.request(on);
    }

    /** Whether the connection differs from a new one. */
    boolean isUsed() {
        return open || lost != null || queryOnly.isUsed() || !isAutoCommit() || !cursors.isEmpty() || turn.isHeld();
    }

    /**
     * Prepares the connection for its next user.
     *
     * @throws SQLException if that fails; its SQL state makes pools close the connection
     */
    void reset() throws SQLException {
        if (open) {
            LOG.warn(
                    "A connection to {} was returned with an open transaction, which is rolled back; end each transaction that SQL begins",
                    turn.database());
        }
        try {
            rollbackIfOpen();
            connection.getConnectionConfig().setAutoCommit(true);
            queryOnly.reset();
            turn.returnLent();
        } catch (SQLException e) {
            throw new SQLNonTransientConnectionException(
                    "Cannot reset a connection to " + turn.database() + ": " + e.getMessage(), UNUSABLE, e);
        }
    }

    /** Gives the turn back, unless the transaction or a row needs it. Any thread that holds {@link #use} may call this. */
    void leaveIfIdle() {
        openReadOnly &= open;
        if (!open && (cursors.isEmpty() || (!turn.isForReaders() && !cursors.haveWriter()))) {
            turn.leave();
        }
    }
}
