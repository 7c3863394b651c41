package dev.oneengine.cache;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.BusyHandler;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A connection that owns its transactions. The driver's own begin another transaction right after each commit, and so keep the
 * lock that others wait for, and report a committed transaction as failed if that second step fails. Here {@code BEGIN} comes
 * with the first statement, and {@code COMMIT} begins nothing. {@link SqliteTransaction} has the rules.
 *
 * <p>Confined to one thread at a time, as in JDBC, except {@link #abort}, {@link #close} and {@link Statement#cancel}.
 */
final class SqliteConnection extends JDBC4Connection {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteConnection.class);

    /** How long a connection sleeps before it looks again whether another process has released its lock. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long INTERRUPT_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Guards the native handle: SQLite must not be interrupted once its memory is freed. */
    private final Object handle = new Object();

    /** Set under {@link #handle}, with the lock of the database, before the memory is freed. */
    private boolean freed;

    // Both are null while the driver's constructor runs its pragmas on this connection.
    private final ConnectionTurn turn;
    private final SqliteTransaction transaction;

    SqliteConnection(String jdbcUrl, String address, Properties properties, AccessQueue queue, int keptStatements)
            throws SQLException {
        super(jdbcUrl, address, properties);
        turn = new ConnectionTurn(queue);
        try {
            BusyHandler.setHandler(this, new Patience());
            transaction = new SqliteTransaction(this, turn, new StatementCache(keptStatements));
        } catch (Throwable t) {
            getDatabase().close();
            throw t;
        }
    }

    /** The transaction of a connection that is open. */
    private SqliteTransaction transaction() throws SQLException {
        checkOpen();
        return transaction;
    }

    /** Fails with the SQL state of a missing connection, which makes a pool drop the connection. The driver's failure has none. */
    @Override
    protected void checkOpen() throws SQLException {
        if (isClosed()) {
            throw turn.endedFailure();
        }
    }

    /** Whether SQLite's lock is waited for. */
    private boolean patient = true;

    /** Sleeps while another process, or another engine, holds SQLite's lock, and gives up when the connection ends. */
    private final class Patience extends BusyHandler {
        private long deadline;

        @Override
        protected int callback(int earlierCalls) {
            long now = System.nanoTime();
            if (earlierCalls == 0) {
                deadline = now + TimeUnit.MILLISECONDS.toNanos(getBusyTimeout());
            }
            if (!patient
                    || turn.isGivenUp()
                    || deadline - now <= 0
                    || Thread.currentThread().isInterrupted()) {
                return 0;
            }
            long sleep = TimeUnit.MICROSECONDS.toNanos(100L << Math.min(earlierCalls, 7));
            LockSupport.parkNanos(this, Math.min(deadline - now, Math.min(LONGEST_SLEEP_NANOS, sleep)));
            return 1;
        }
    }

    /** Keeps SQLite's own handler out, which nobody could interrupt. */
    @Override
    public void setBusyTimeout(int milliseconds) {
        getDatabase().getConfig().setBusyTimeout(milliseconds);
    }

    /** Lets something fail with SQLITE_BUSY instead of waiting for a lock. */
    <T> T withoutWaiting(SqliteTransaction.Action<T> action) throws SQLException {
        patient = false;
        try {
            return action.run();
        } finally {
            patient = true;
        }
    }

    /** Runs a pragma that reads or sets the timeout of SQLite's own handler, and takes over what it has set. */
    <T> T withDriversBusyTimeout(SqliteTransaction.Action<T> action) throws SQLException {
        getDatabase().busy_timeout(getBusyTimeout());
        try {
            T result = action.run();
            setBusyTimeout((int) SqliteCommand.valueOf(this, "PRAGMA busy_timeout"));
            return result;
        } finally {
            BusyHandler.setHandler(this, new Patience());
        }
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        if (transaction == null) {
            return super.createStatement(type, concurrency, holdability);
        }
        checkCursor(type, concurrency, holdability);
        return new SqliteStatement(this, transaction());
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        checkCursor(type, concurrency, holdability);
        return transaction().prepare(sql);
    }

    /** Transactions are this class's own; the driver's hook before each statement has nothing to add. */
    @Override
    public void tryEnforceTransactionMode() {
        // See SqliteTransaction.
    }

    /** Not while the driver runs a statement: it would commit once more by itself, which fails where rows of a write are open. */
    @Override
    public boolean getAutoCommit() throws SQLException {
        return super.getAutoCommit() && (turn == null || !transaction.isInDriver());
    }

    /** Commits an open transaction if its user switches auto-commit on. A pool that does so on return has not been asked to. */
    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        SqliteTransaction mine = transaction();
        if (autoCommit) {
            rollBackInReset(mine);
        }
        mine.setAutoCommit(autoCommit);
    }

    @Override
    public void commit() throws SQLException {
        transaction().commit();
    }

    @Override
    public void rollback() throws SQLException {
        transaction().rollback();
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        SqliteTransaction mine = transaction();
        rollBackInReset(mine);
        mine.setReadOnly(readOnly);
    }

    @Override
    public boolean isReadOnly() {
        return super.isReadOnly() || transaction.isReadOnly();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return transaction().atSavepoint(super::setSavepoint);
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return transaction().atSavepoint(() -> super.setSavepoint(name));
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        transaction().atSavepoint(() -> {
            super.releaseSavepoint(savepoint);
            return true;
        });
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        transaction().atSavepoint(() -> {
            super.rollback(savepoint);
            return true;
        });
    }

    /** A connection to SQLite cannot be lost to a network, so no statement needs to be run. */
    @Override
    public boolean isValid(int timeout) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("The timeout must not be negative, as " + timeout + " is");
        }
        return !isClosed();
    }

    /**
     * Clears nothing, as there are no warnings. But HikariCP calls this last when a connection is returned, and only it does so
     * from {@code close()}: the place to leave nothing behind for the next user.
     */
    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
        if (transaction.isUsed() && isCalledByPool("ProxyConnection", "close")) {
            transaction.reset();
        }
    }

    /** Does what the return of the connection has not done, if an Error has cut that short. */
    void cleanForNextUser() throws SQLException {
        if (transaction.isUsed()) {
            transaction.reset();
        }
    }

    /** A pool does not see all work that its user has left, and resets the connection within the transaction. */
    private static void rollBackInReset(SqliteTransaction mine) throws SQLException {
        if (mine.isOpen() && isCalledByPool("PoolBase", "resetConnectionState")) {
            mine.rollbackIfOpen();
        }
    }

    /** Whether HikariCP itself has called this connection, and not its user through a proxy. */
    private static boolean isCalledByPool(String type, String method) {
        String own = SqliteConnection.class.getName();
        return StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> frame.getClassName().equals(own))
                        .findFirst()
                        .filter(caller -> caller.getClassName().equals("com.zaxxer.hikari.pool." + type)
                                && caller.getMethodName().equals(method))
                        .isPresent());
    }

    @Override
    public boolean isClosed() throws SQLException {
        return super.isClosed() || (turn != null && turn.isEnded());
    }

    /** Ends the transaction by closing: SQLite rolls back what is not committed. Any thread may call this, more than once. */
    @Override
    public void close() throws SQLException {
        turn.end();
        try {
            // The lock of the database makes this wait for the end of a running statement.
            synchronized (getDatabase()) {
                synchronized (handle) {
                    if (freed) {
                        return;
                    }
                    freed = true;
                }
                getDatabase().close();
            }
        } finally {
            turn.leave();
        }
    }

    /** Lets the transactions of this connection run in a turn that its owner takes and gives back. */
    void lend(AccessQueue.Turn borrowed) throws SQLException {
        turn.use();
        turn.lend(borrowed);
    }

    /** Takes a turn back that was lent. */
    void takeBack(AccessQueue.Turn borrowed) {
        turn.takeBack(borrowed);
    }

    /** Interrupts the running statement or its wait, unless the connection is closed. Any thread may call this. */
    void interrupt() throws SQLException {
        turn.cancelWait();
        synchronized (handle) {
            if (!freed) {
                getDatabase().interrupt();
            }
        }
    }

    /**
     * Interrupts the running statement or wait, and closes. The driver's own method does nothing, and a pool that aborts its
     * connections when it is closed would leave each of them open for ever, with its file and its locks.
     */
    @Override
    public void abort(Executor executor) throws SQLException {
        turn.end();
        executor.execute(() -> {
            try {
                // Not where nothing runs: SQLite would take it for an order not to write its log to the file when it
                // closes.
                if (transaction.isInDriver()) {
                    // More than once, as an interrupt between two statements of a batch or script is lost.
                    Thread interrupter = new Thread(this::interruptUntilFreed, "one-engine interrupter");
                    interrupter.setDaemon(true);
                    interrupter.start();
                }
                close();
            } catch (SQLException e) {
                LOG.warn("A connection to {} could not be closed", getUrl(), e);
            }
        });
    }

    private void interruptUntilFreed() {
        try {
            while (!super.isClosed()) {
                interrupt();
                LockSupport.parkNanos(this, INTERRUPT_PERIOD_NANOS);
            }
        } catch (SQLException e) {
            LOG.warn("A statement on {} could not be interrupted", getUrl(), e);
        }
    }
}
