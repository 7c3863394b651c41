package dev.oneengine.cache;

import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;

/**
 * The transactions of one SQLite connection.
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
 * <p>Confined to the thread that uses the connection, except {@link #stop}, {@link #ended} and {@link #interrupt}.
 */
final class SqliteTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteTransaction.class);

    /** The SQL state of "invalid transaction state". */
    private static final String INVALID_STATE = "25000";

    /** The SQL state of "transaction rollback". */
    private static final String ROLLED_BACK = "40000";

    /** The SQL state of "connection failure". */
    private static final String UNUSABLE = "08006";

    private static final long STOP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SQLiteConnection connection;
    private final SqliteHandle handle;
    private final ConnectionTurn turn;
    private final SqliteLockWait lockWait;
    private final StatementCache<?> statements;
    private final OpenCursors cursors = new OpenCursors();
    private final QueryOnly queryOnly;
    private final TransactionCommands commands;

    /** Prepared at its first use: preparing reads the schema, which in memory waits for a writer. */
    private @Nullable SqliteCommand lastInsertRowId;

    /**
     * Held while a statement runs or the transaction ends. In JDBC one thread uses a connection, but another thread may close it, and
     * then the pool lends it to a third.
     */
    private final ReentrantLock use = new ReentrantLock();

    /** The running statement. */
    private volatile @Nullable SqliteCursor running;

    /** Whether a {@code BEGIN} or an outermost {@code SAVEPOINT} is in effect. */
    private boolean open;

    /** Whether the open transaction began as a reader, and so can never write. */
    private boolean openReadOnly;

    /** Why SQLite has rolled back the transaction, or may have. The user has not been informed yet. */
    private @Nullable Throwable lost;

    /** Whether SQLite could not report if the transaction is still open. Then {@link #open} is set, so that a rollback follows. */
    private boolean unknown;

    /** Whether the driver runs a statement. Then the driver must not commit, and an abort interrupts the statement. */
    private final AtomicBoolean inDriver = new AtomicBoolean();

    SqliteTransaction(
            SQLiteConnection connection,
            SqliteHandle handle,
            ConnectionTurn turn,
            SqliteLockWait lockWait,
            StatementCache<?> statements)
            throws SQLException {
        this.connection = connection;
        this.handle = handle;
        this.turn = turn;
        this.lockWait = lockWait;
        this.statements = statements;
        this.queryOnly = new QueryOnly(connection.getDatabase());
        this.commands = new TransactionCommands(connection, cursors);
    }

    /** Returns the statements that are positioned on a row. */
    OpenCursors cursors() {
        return cursors;
    }

    /**
     * Runs an action that prepares a statement. In memory, the first statement of a connection reads the schema, which
     * waits for a writer. Only such a statement needs a turn.
     */
    <T> T preparing(SqlKind kind, SqliteAction<T> action) throws SQLException {
        queryOnly.note(kind); // pragmas act while they are prepared
        if (kind.busyTimeout()) {
            return lockWait.withDriversBusyTimeout(action);
        }
        if (turn.isHeld() || !turn.isForReaders()) {
            return action.run();
        }
        try {
            return lockWait.withoutWaiting(action);
        } catch (SQLException e) {
            if (SqliteFailures.code(e) != SqliteFailures.BUSY) {
                throw e;
            }
        }
        access(false, 0);
        try {
            return action.run();
        } finally {
            leaveIfIdle();
        }
    }

    /**
     * Runs a statement. Begins the transaction if there is none, and keeps the turn while the statement is positioned on a row.
     *
     * @param seconds the longest wait for a turn, or 0 for the busy timeout
     * @param cursor the statement, or {@code null} if it leaves no row open
     */
    <T> T execute(SqlKind kind, int seconds, @Nullable SqliteCursor cursor, SqliteAction<T> action)
            throws SQLException {
        use.lock();
        try {
            running = cursor;
            if (cursor != null) {
                cursor.requireOpen(); // until now, another thread may have closed it
            }
            return executeAlone(kind, seconds, cursor, action);
        } finally {
            running = null;
            use.unlock();
        }
    }

    /** Interrupts the statement while another thread runs it. Any thread may call this. */
    void stop(SqliteCursor cursor) throws SQLException {
        while (running == cursor && !use.isHeldByCurrentThread()) {
            interrupt();
            LockSupport.parkNanos(this, STOP_PERIOD_NANOS);
        }
    }

    /** Interrupts the running statement or its wait, unless the connection is closed. Any thread may call this. */
    void interrupt() throws SQLException {
        turn.cancelWait();
        handle.interrupt();
    }

    private <T> T executeAlone(SqlKind kind, int seconds, @Nullable SqliteCursor cursor, SqliteAction<T> action)
            throws SQLException {
        begin(kind, seconds);
        T result;
        try {
            result = kind.busyTimeout() ? lockWait.withDriversBusyTimeout(() -> inDriver(action)) : inDriver(action);
        } catch (Throwable t) {
            failed(t, kind.control());
            try {
                end(kind, cursor);
            } catch (SQLException | RuntimeException e) {
                t.addSuppressed(e);
            }
            throwIfEnded(t);
            throw t;
        }
        end(kind, cursor);
        return result;
    }

    /** Runs an action of the driver. The driver reads the auto-commit mode to commit by itself, although SQLite has already done so. */
    <T> T inDriver(SqliteAction<T> action) throws SQLException {
        enterDriver();
        try {
            return action.run();
        } finally {
            leaveDriver();
        }
    }

    /** Either this thread sees that the connection has ended, or the thread that ends it sees the running statement. */
    void enterDriver() throws SQLException {
        inDriver.set(true);
        if (turn.isEnded()) {
            leaveDriver();
            throw turn.endedFailure();
        }
    }

    /** No thread waits for this, so it needs no fence, which would slow down each row. */
    void leaveDriver() {
        inDriver.lazySet(false);
    }

    boolean isInDriver() {
        return inDriver.get();
    }

    /** Fails with the reason if the connection was closed. The driver would report a closed statement. */
    void requireConnection() throws SQLException {
        turn.use();
    }

    /** Replaces a failure of a connection that was closed meanwhile: messages of SQLite and the driver do not say that. */
    void throwIfEnded(Throwable failure) throws SQLException {
        if (turn.isEnded() && failure instanceof SQLException) {
            SQLException ended = turn.endedFailure();
            ended.initCause(failure);
            throw ended;
        }
    }

    private void begin(SqlKind kind, int seconds) throws SQLException {
        turn.use();
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
            access(kind.writes() && !isReadOnly(), seconds);
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
        access(write, seconds);
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
            throwIfEnded(e);
            throw e;
        } finally {
            if (seconds > 0) {
                connection.setBusyTimeout(busyTimeout);
            }
            leaveIfIdle();
        }
    }

    private void access(boolean write, int seconds) throws SQLException {
        if (turn.needs(write)) {
            StackReserve.check();
        }
        turn.enter(
                write,
                seconds > 0
                        ? Duration.ofSeconds(seconds)
                        : Duration.ofMillis(Math.max(0, connection.getBusyTimeout())));
    }

    private void end(SqlKind kind, @Nullable SqliteCursor cursor) throws SQLException {
        if (kind.control()) {
            askWhetherOpen();
            if (!open && kind.verb().equals("rollback")) {
                lost = null;
            }
        }
        queryOnly.note(kind);
        if (!kind.reusable() && !kind.control()) {
            statements.clear(); // it may have changed the schema or a pragma
        }
        if (cursor != null && cursor.isActive()) {
            cursors.add(cursor); // its last execution was removed before this one began
        }
        leaveIfIdle();
    }

    /** Notes that a statement is no longer positioned on a row. Any thread may call this. */
    void ended(SqliteCursor cursor) {
        use.lock();
        try {
            if (cursors.remove(cursor)) {
                leaveIfIdle();
            }
        } finally {
            use.unlock();
        }
    }

    /** Checks whether SQLite has rolled back because of a failure. */
    void failed(Throwable failure) {
        failed(failure, false);
    }

    /**
     * Checks whether a failure has ended the transaction.
     *
     * @param maybeCommitted whether the SQL that failed may have committed or rolled back the transaction itself
     */
    private void failed(Throwable failure, boolean maybeCommitted) {
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
            failed(t);
            if (!unknown) {
                lost = null; // this exception says so
            }
            throwIfEnded(t);
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

    private void requireTransaction(String what) throws SQLException {
        if (isAutoCommit()) {
            throw new SQLException(
                    "Cannot " + what + " on " + turn.database()
                            + " in auto-commit mode; call setAutoCommit(false) first",
                    INVALID_STATE);
        }
    }

    /** Runs an action that needs an open transaction, such as a savepoint. */
    <T> T atSavepoint(SqliteAction<T> action) throws SQLException {
        requireTransaction("use a savepoint");
        return execute(SqlKind.QUERY, 0, null, action);
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

    /** Returns the generated key of the last insert on this connection. */
    long lastInsertRowId() throws SQLException {
        SqliteCommand mine = lastInsertRowId;
        if (mine == null) {
            mine = new SqliteCommand(connection, "SELECT last_insert_rowid()");
            lastInsertRowId = mine;
        }
        return mine.value();
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

    private void leaveIfIdle() {
        openReadOnly &= open;
        if (!open && (cursors.isEmpty() || (!turn.isForReaders() && !cursors.haveWriter()))) {
            turn.leave();
        }
    }
}
