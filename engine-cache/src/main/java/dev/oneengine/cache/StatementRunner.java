package dev.oneengine.cache;

import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/**
 * Runs the statements of one SQLite connection, one at a time, in its {@link SqliteTransaction}. At any time another thread may interrupt
 * a statement, close it, or close the connection.
 *
 * <p>Confined to the thread that uses the connection, except {@link #stop}, {@link #ended}, {@link #interrupt} and {@link #isInDriver}.
 */
final class StatementRunner {
    private static final long STOP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    // Read directly by the connection, its statements and their rows.
    final ConnectionTurn turn;
    final SqliteTransaction transaction;
    final OpenCursors cursors;

    private final SQLiteConnection connection;
    private final SqliteHandle handle;
    private final SqliteLockWait lockWait;
    private final StatementCache<?> statements;

    /**
     * Held while a statement runs or the transaction ends. In JDBC one thread uses a connection, but another thread may close it, and
     * then the pool lends it to a third.
     */
    private final ReentrantLock use = new ReentrantLock();

    /** The running statement. */
    private volatile @Nullable SqliteCursor running;

    /** Whether the driver runs a statement. Then the driver must not commit, and an abort interrupts the statement. */
    private final AtomicBoolean inDriver = new AtomicBoolean();

    /** Prepared at its first use: preparing reads the schema, which in memory waits for a writer. */
    private @Nullable SqliteCommand lastInsertRowId;

    StatementRunner(SQLiteConnection connection, SqliteHandle handle, ConnectionTurn turn, StatementCache<?> statements)
            throws SQLException {
        this.connection = connection;
        this.handle = handle;
        this.turn = turn;
        this.lockWait = new SqliteLockWait(connection, turn);
        this.statements = statements;
        this.transaction = new SqliteTransaction(connection, turn, use);
        this.cursors = transaction.cursors;
    }

    /**
     * Runs an action that prepares a statement. In memory, the first statement of a connection reads the schema, which
     * waits for a writer. Only such a statement needs a turn.
     */
    <T> T preparing(SqlKind kind, SqliteAction<T> action) throws SQLException {
        transaction.notePragma(kind); // pragmas act while they are prepared
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
        transaction.takeTurn(false, 0);
        try {
            return action.run();
        } finally {
            transaction.leaveIfIdle();
        }
    }

    /**
     * Runs a statement. Begins the transaction if there is none, and keeps the turn while the statement is positioned on a row.
     *
     * @param seconds the longest wait for a turn, or 0 for the busy timeout
     * @param cursor the statement, or {@code null} if it cannot stay positioned on a row
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

    private <T> T executeAlone(SqlKind kind, int seconds, @Nullable SqliteCursor cursor, SqliteAction<T> action)
            throws SQLException {
        turn.use();
        transaction.begin(kind, seconds);
        T result;
        try {
            result = kind.busyTimeout() ? lockWait.withDriversBusyTimeout(() -> inDriver(action)) : inDriver(action);
        } catch (Throwable t) {
            transaction.failed(t, kind.control());
            try {
                end(kind, cursor);
            } catch (SQLException | RuntimeException e) {
                t.addSuppressed(e);
            }
            turn.throwIfEnded(t);
            throw t;
        }
        end(kind, cursor);
        return result;
    }

    private void end(SqlKind kind, @Nullable SqliteCursor cursor) throws SQLException {
        transaction.executed(kind);
        if (!kind.reusable() && !kind.control()) {
            statements.clear(); // it may have changed the schema or a pragma
        }
        if (cursor != null && cursor.isActive()) {
            cursors.add(cursor); // its last execution was removed before this one began
        }
        transaction.leaveIfIdle();
    }

    /** Runs an action that needs an open transaction, such as a savepoint. */
    <T> T atSavepoint(SqliteAction<T> action) throws SQLException {
        transaction.requireTransaction("use a savepoint");
        return execute(SqlKind.QUERY, 0, null, action);
    }

    /** Notes that a statement is no longer positioned on a row. Any thread may call this. */
    void ended(SqliteCursor cursor) {
        use.lock();
        try {
            if (cursors.remove(cursor)) {
                transaction.leaveIfIdle();
            }
        } finally {
            use.unlock();
        }
    }

    /** Checks whether SQLite has rolled back because reading a row failed. */
    void failed(SQLException failure) {
        transaction.failed(failure, false);
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

    /** Returns the generated key of the last insert on this connection. */
    long lastInsertRowId() throws SQLException {
        SqliteCommand mine = lastInsertRowId;
        if (mine == null) {
            mine = new SqliteCommand(connection, "SELECT last_insert_rowid()");
            lastInsertRowId = mine;
        }
        return mine.value();
    }
}
