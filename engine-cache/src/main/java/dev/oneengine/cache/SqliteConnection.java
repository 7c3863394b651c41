package dev.oneengine.cache;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A connection to SQLite that owns its transactions. The driver's own connections begin the next transaction right after each commit. So
 * they keep the lock that others wait for, and report a committed transaction as failed if that second step fails. Here {@code BEGIN}
 * runs before the first statement, and {@code COMMIT} begins nothing. {@link SqliteTransaction} has the rules, and {@link StatementRunner} runs the statements.
 *
 * <p>Confined to one thread at a time, as in JDBC, except {@link #abort}, {@link #close} and {@link Statement#cancel}.
 */
final class SqliteConnection extends JDBC4Connection {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteConnection.class);

    private static final long INTERRUPT_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    // All are null while the driver's constructor runs its pragmas on this connection.
    final ConnectionTurn turn;
    private final SqliteHandle handle;
    private final StatementCache<SqlitePreparedStatement> statements;
    private final SqliteTransaction transaction;
    private final StatementRunner runner;

    /** Keeps the database alive; {@code null} for a file. */
    private final @Nullable Anchor anchor;

    SqliteConnection(
            String jdbcUrl,
            String address,
            Properties properties,
            AccessQueue queue,
            int keptStatements,
            @Nullable Anchor anchor)
            throws SQLException {
        super(jdbcUrl, address, properties);
        try {
            this.anchor = anchor;
            turn = new ConnectionTurn(queue);
            handle = new SqliteHandle(getDatabase());
            statements = new StatementCache<>(keptStatements);
            runner = new StatementRunner(this, handle, turn, statements);
            transaction = runner.transaction;
        } catch (Throwable t) {
            getDatabase().close();
            throw t;
        }
    }

    /** Returns the transaction of an open connection. */
    private SqliteTransaction transaction() throws SQLException {
        checkOpen();
        return transaction;
    }

    /** Returns the runner of an open connection. */
    private StatementRunner runner() throws SQLException {
        checkOpen();
        return runner;
    }

    /** Fails with the SQL state of a missing connection, so that a pool drops the connection. The driver's failure has no state. */
    @Override
    protected void checkOpen() throws SQLException {
        if (isClosed()) {
            throw turn.endedFailure();
        }
    }

    /** Keeps out SQLite's own handler, which cannot be interrupted. */
    @Override
    public void setBusyTimeout(int milliseconds) {
        getDatabase().getConfig().setBusyTimeout(milliseconds);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        if (runner == null) {
            return super.createStatement(type, concurrency, holdability);
        }
        checkCursor(type, concurrency, holdability);
        return new SqliteStatement(this, runner());
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        checkCursor(type, concurrency, holdability);
        StatementRunner mine = runner();
        SqlitePreparedStatement kept = statements.take(sql);
        if (kept != null) {
            return kept.lend();
        }
        SqlKind kind = SqlKind.of(sql);
        SqlitePreparedStatement prepared =
                mine.preparing(kind, () -> new SqlitePreparedStatement(this, mine, statements, sql, kind));
        return statements.accepts(sql, kind) ? prepared.lend() : prepared;
    }

    /** Does nothing: this class has its own transactions instead of the driver's hook before each statement. */
    @Override
    public void tryEnforceTransactionMode() {
        // See SqliteTransaction.
    }

    /** Returns {@code false} while the driver runs a statement: the driver would commit again, which fails if rows of a write are open. */
    @Override
    public boolean getAutoCommit() throws SQLException {
        return super.getAutoCommit() && (turn == null || !runner.isInDriver());
    }

    /**
     * Commits an open transaction if the user switches auto-commit on. Rolls back instead if a pool switches it on for a returned
     * connection.
     */
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
        return runner().atSavepoint(super::setSavepoint);
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return runner().atSavepoint(() -> super.setSavepoint(name));
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        runner().atSavepoint(() -> {
            super.releaseSavepoint(savepoint);
            return true;
        });
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        runner().atSavepoint(() -> {
            super.rollback(savepoint);
            return true;
        });
    }

    /** Runs no statement: there is no network that can break a connection to SQLite. */
    @Override
    public boolean isValid(int timeout) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("The timeout must be at least 0, not " + timeout);
        }
        return !isClosed();
    }

    /**
     * Clears nothing, because there are no warnings. But HikariCP calls this last when a connection is returned, and only HikariCP does
     * so from {@code close()}. So this is where the connection is reset for its next user.
     */
    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
        if (transaction.isUsed() && isCalledByPool("ProxyConnection", "close")) {
            transaction.reset();
        }
    }

    /** Resets the connection if an Error has interrupted its last return. */
    void cleanForNextUser() throws SQLException {
        if (transaction.isUsed()) {
            transaction.reset();
        }
    }

    /** Rolls back the work of the last user. A pool does not see all of it, and would reset the connection within the transaction. */
    private static void rollBackInReset(SqliteTransaction mine) throws SQLException {
        if (mine.isOpen() && isCalledByPool("PoolBase", "resetConnectionState")) {
            mine.rollbackIfOpen();
        }
    }

    /** Whether HikariCP itself called this connection, and not its user through a proxy. */
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

    /** Closes the connection. SQLite rolls back an open transaction. Any thread may call this, more than once. */
    @Override
    public void close() throws SQLException {
        turn.end();
        try {
            if (anchor != null) {
                anchor.open(); // if this fails, this handle stays open in its place
            }
            handle.close();
        } finally {
            turn.leave();
        }
    }

    /**
     * Interrupts the running statement or wait, and closes the connection. The driver's own method does nothing. A closing pool that
     * aborts its connections would leave each of them open, with its file and its locks. Does nothing on a closed connection.
     */
    @Override
    public void abort(Executor executor) throws SQLException {
        if (super.isClosed()) {
            return;
        }
        turn.end();
        executor.execute(() -> {
            try {
                // Only if a statement runs: otherwise SQLite would not write its log to the file when it closes.
                if (runner.isInDriver()) {
                    // Interrupts repeatedly: an interrupt between two statements of a batch or script is lost.
                    Thread interrupter = new Thread(this::interruptUntilFreed, "one-engine interrupter");
                    interrupter.setDaemon(true);
                    interrupter.start();
                }
                close();
            } catch (SQLException e) {
                LOG.warn("Cannot close a connection to {}", getUrl(), e);
            }
        });
    }

    private void interruptUntilFreed() {
        try {
            while (!super.isClosed()) {
                runner.interrupt();
                LockSupport.parkNanos(this, INTERRUPT_PERIOD_NANOS);
            }
        } catch (SQLException e) {
            LOG.warn("Cannot interrupt a statement on {}", getUrl(), e);
        }
    }
}
