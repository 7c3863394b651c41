package dev.oneengine.cache;

import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;

/**
 * The transactions of one SQLite connection, and its turn in the queue.
 *
 * <ul>
 *   <li>{@code BEGIN} comes with the first statement: {@code IMMEDIATE}, so that a transaction that reads first can still write;
 *       in a read-only connection {@code DEFERRED}, with {@code query_only}. A {@code BEGIN} that fails changes nothing.
 *   <li>The queue stands before SQLite's lock. A transaction has its turn from {@code BEGIN} to its end, a single statement until
 *       its rows are read.
 *   <li>{@code COMMIT} and {@code ROLLBACK} end all open result sets, which would keep the lock, and begin nothing.
 *   <li>On some failures SQLite rolls the transaction back by itself. The failure then has an
 *       {@link SQLTransactionRollbackException} as its next exception, what follows can only be rolled back, and {@code commit}
 *       fails.
 *   <li>If SQLite does not say whether it did, as what asks for that fails as well, nothing runs until a rollback.
 * </ul>
 *
 * <p>Confined to the thread that uses the connection.
 */
final class SqliteTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteTransaction.class);

    /** The SQL states of "invalid transaction state", "transaction rollback" and "connection failure". */
    private static final String INVALID_STATE = "25000";

    private static final long STOP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final String ROLLED_BACK = "40000";
    private static final String UNUSABLE = "08006";

    private final SqliteConnection connection;
    private final ConnectionTurn turn;

    private final SqliteCommand deferred;
    private final SqliteCommand immediate;
    private final SqliteCommand exclusive;
    private final SqliteCommand commit;
    private final SqliteCommand rollback;

    private final StatementCache statements;

    /** Prepared when it is first needed, as that reads the schema, which in memory waits for a writer. */
    private @Nullable SqliteCommand lastInsertRowId;

    /**
     * Held while a statement runs or the transaction ends. JDBC gives a connection to one thread, but another may close it, and the
     * pool then lends it to a third.
     */
    private final ReentrantLock use = new ReentrantLock();

    /** The statement that runs. */
    private volatile @Nullable Cursor running;

    /** Whether a {@code BEGIN} or an outermost {@code SAVEPOINT} is in effect. */
    private boolean open;

    /** Whether the open transaction began as a reader, and so can never write. */
    private boolean openReadOnly;

    /** What the user asked for. SQLite learns it with the next statement, as a pragma costs as much as a small read. */
    private boolean readOnly;

    /** What SQLite was told. */
    private boolean queryOnly;

    /** Whether the user's own SQL has touched {@code query_only}; it is then left alone until the connection is reset. */
    private boolean queryOnlyIsForeign;

    /** Why SQLite has rolled back the transaction that the user believes to be open, or may have done so. */
    private @Nullable Throwable lost;

    /** Whether SQLite has not said if the transaction is still open. Then {@link #open} is set, so that it is rolled back. */
    private boolean unknown;

    /** The statements that stand at a row, and so keep SQLite's lock. */
    private final List<Cursor> cursors = new ArrayList<>(2);

    /** Open queries for generated keys. They keep no lock, but an interrupt holds as long as any statement runs. */
    private final List<Statement> keys = new ArrayList<>(2);

    /** Whether the driver runs a statement: it is not to commit it by itself, and an abort interrupts it. */
    private final AtomicBoolean inDriver = new AtomicBoolean();

    /** A statement that may stand at a row. */
    interface Cursor {
        /** Fails if it was closed. */
        void requireOpen() throws SQLException;

        /** Whether it is a statement that writes, and returns rows. */
        boolean writes();

        /** Whether it stands at a row. */
        boolean isActive();

        /** Resets the statement and closes its result set. */
        void end() throws SQLException;
    }

    /** Something that SQLite does. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws SQLException;
    }

    SqliteTransaction(SqliteConnection connection, ConnectionTurn turn, StatementCache statements) throws SQLException {
        this.connection = connection;
        this.turn = turn;
        this.statements = statements;
        this.deferred = new SqliteCommand(connection, "BEGIN");
        this.immediate = new SqliteCommand(connection, "BEGIN IMMEDIATE");
        this.exclusive = new SqliteCommand(connection, "BEGIN EXCLUSIVE");
        this.commit = new SqliteCommand(connection, "COMMIT");
        this.rollback = new SqliteCommand(connection, "ROLLBACK");
    }

    /** Prepares a statement, or takes one that is kept. */
    PreparedStatement prepare(String sql) throws SQLException {
        SqlitePreparedStatement kept = statements.take(sql);
        if (kept != null) {
            return kept.lend();
        }
        SqlKind kind = SqlKind.of(sql);
        queryOnlyIsForeign |= kind.readOnly(); // pragmas act while they are prepared
        SqlitePreparedStatement prepared =
                preparing(kind, () -> new SqlitePreparedStatement(connection, this, statements, sql, kind));
        return statements.accepts(sql, kind) ? prepared.lend() : prepared;
    }

    /**
     * Prepares something. In memory the first statement on a connection reads the schema, and so waits for a writer; only then it
     * takes a turn.
     */
    <T> T preparing(SqlKind kind, Action<T> action) throws SQLException {
        if (kind.busyTimeout()) {
            return connection.withDriversBusyTimeout(action);
        }
        if (turn.isHeld() || !turn.isForReaders()) {
            return action.run();
        }
        try {
            return connection.withoutWaiting(action);
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
     * Runs a statement: begins the transaction if there is none yet, and has a turn until the statement stands at no row any more.
     *
     * @param seconds how long it may wait for its turn, or 0 for the busy timeout
     * @param cursor the statement, or {@code null} for what leaves nothing open
     */
    <T> T execute(SqlKind kind, int seconds, @Nullable Cursor cursor, Action<T> action) throws SQLException {
        use.lock();
        try {
            running = cursor;
            if (cursor != null) {
                cursor.requireOpen(); // another thread may have closed it until now, and not from now on
            }
            return executeAlone(kind, seconds, cursor, action);
        } finally {
            running = null;
            use.unlock();
        }
    }

    /** Ends the statement if another thread runs it. */
    void stop(Cursor cursor) throws SQLException {
        while (running == cursor && !use.isHeldByCurrentThread()) {
            connection.interrupt();
            LockSupport.parkNanos(this, STOP_PERIOD_NANOS);
        }
    }

    private <T> T executeAlone(SqlKind kind, int seconds, @Nullable Cursor cursor, Action<T> action)
            throws SQLException {
        begin(kind, seconds);
        T result;
        try {
            result = kind.busyTimeout() ? connection.withDriversBusyTimeout(() -> inDriver(action)) : inDriver(action);
        } catch (Throwable t) {
            failed(t, kind.control());
            try {
                end(kind, cursor);
            } catch (SQLException | RuntimeException e) {
                t.addSuppressed(e);
            }
            refuseIfEnded(t);
            throw t;
        }
        end(kind, cursor);
        return result;
    }

    /** Runs something in the driver, which asks for the auto-commit mode to commit by itself; SQLite has done that already. */
    <T> T inDriver(Action<T> action) throws SQLException {
        enterDriver();
        try {
            return action.run();
        } finally {
            leaveDriver();
        }
    }

    /** Either this thread sees that the connection has ended, or the thread that ends it sees that a statement runs. */
    void enterDriver() throws SQLException {
        inDriver.set(true);
        if (turn.isEnded()) {
            leaveDriver();
            throw turn.endedFailure();
        }
    }

    /** Nobody waits for this, so it needs no fence, which would cost a part of each row. */
    void leaveDriver() {
        inDriver.lazySet(false);
    }

    boolean isInDriver() {
        return inDriver.get();
    }

    /** Fails with the reason if the connection was closed, where the driver would speak of its statement. */
    void requireConnection() throws SQLException {
        turn.use();
    }

    /** What SQLite and the driver say of a connection that was closed meanwhile names neither that nor the database. */
    void refuseIfEnded(Throwable failure) throws SQLException {
        if (turn.isEnded() && failure instanceof SQLException) {
            SQLException ended = turn.endedFailure();
            ended.initCause(failure);
            throw ended;
        }
    }

    private void begin(SqlKind kind, int seconds) throws SQLException {
        turn.use();
        if (unknown) {
            refuseUnlessRollback(kind);
        }
        if (lost != null && kind.control() && !kind.verb().equals("rollback")) {
            throw cannotCommit(lost);
        }
        if (readOnly && kind.verb().equals("restore")) {
            throw DB.newSQLException(
                    SQLiteErrorCode.SQLITE_READONLY.code,
                    "a read-only connection to " + turn.database() + " restores nothing");
        }
        if (open || isAutoCommit()) {
            restrict(kind);
            access(kind.writes() && !readOnly, seconds);
        } else {
            beginTransaction(kind, seconds);
            restrict(kind);
        }
    }

    private void refuseUnlessRollback(SqlKind kind) throws SQLException {
        if (!kind.verb().equals("rollback")) {
            throw new SQLException(
                    "Cannot execute a statement on " + turn.database()
                            + ", as it is unknown whether SQLite has rolled back"
                            + " the transaction because of an earlier failure (" + lost
                            + "); roll back, and repeat all of it",
                    INVALID_STATE,
                    lost);
        }
        rollbackInSqlite();
    }

    private void beginTransaction(SqlKind kind, int seconds) throws SQLException {
        TransactionMode mode = connection.getConnectionConfig().getTransactionMode();
        // A turn to write that is lent to this connection is for a transaction that will write.
        boolean write = turn.isForWriting() || (!readOnly && (mode != TransactionMode.DEFERRED || kind.writes()));
        access(write, seconds);
        int busyTimeout = connection.getBusyTimeout();
        try {
            if (seconds > 0) {
                connection.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, seconds * 1_000L));
            }
            if (write) {
                restrict(false);
            }
            (!write ? deferred : mode == TransactionMode.EXCLUSIVE ? exclusive : immediate).run();
            open = true;
            openReadOnly = !write && readOnly;
        } catch (SQLException e) {
            refuseIfEnded(e);
            throw e;
        } finally {
            if (seconds > 0) {
                connection.setBusyTimeout(busyTimeout);
            }
            leaveIfIdle();
        }
    }

    /** Switches {@code query_only} only where that matters: it costs as much as a small read, and expires all kept statements. */
    private void restrict(SqlKind kind) throws SQLException {
        if (!kind.isQuery()) {
            restrict(readOnly);
        }
    }

    private void restrict(boolean on) throws SQLException {
        if (on != queryOnly && !queryOnlyIsForeign) {
            setQueryOnly(on);
        }
    }

    private void setQueryOnly(boolean on) throws SQLException {
        connection.getDatabase().exec("PRAGMA query_only = " + (on ? 1 : 0), false);
        queryOnly = on;
    }

    private void access(boolean write, int seconds) throws SQLException {
        turn.enter(
                write,
                seconds > 0
                        ? Duration.ofSeconds(seconds)
                        : Duration.ofMillis(Math.max(0, connection.getBusyTimeout())));
    }

    private void end(SqlKind kind, @Nullable Cursor cursor) throws SQLException {
        if (kind.control()) {
            askWhetherOpen();
            if (!open && kind.verb().equals("rollback")) {
                lost = null;
            }
        }
        queryOnlyIsForeign |= kind.readOnly();
        if (!kind.reusable() && !kind.control()) {
            statements.clear(); // it may have changed the schema, or what statements are compiled to
        }
        if (cursor != null && cursor.isActive()) {
            cursors.add(cursor); // it was removed when its statement began
        }
        leaveIfIdle();
    }

    /** Notes that a statement stands at no row any more. */
    void ended(Cursor cursor) {
        use.lock();
        try {
            if (cursors.remove(cursor)) {
                leaveIfIdle();
            }
        } finally {
            use.unlock();
        }
    }

    private void endCursors() throws SQLException {
        while (!cursors.isEmpty()) {
            cursors.remove(cursors.size() - 1).end();
        }
    }

    /** Remembers a query that an interrupt must end. */
    void remember(Statement query) {
        keys.add(query);
    }

    void forget(Statement query) {
        keys.remove(query);
    }

    /** Notices if SQLite has rolled the transaction back because of a failure. */
    void failed(Throwable failure) {
        failed(failure, false);
    }

    /**
     * Notices if a failure has ended the transaction.
     *
     * @param maybeCommitted whether the text that failed may itself have ended it, in whatever way
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
                            + (unknown ? ", or it must be rolled back now" : "") + "; nothing of it is kept",
                    ROLLED_BACK));
        }
    }

    /** Nothing runs after this if SQLite does not answer. */
    private void askWhetherOpen() throws SQLException {
        open = true;
        unknown = true;
        try {
            open = isOpenInSqlite();
            unknown = false;
        } catch (Throwable t) {
            lost = t;
            throw t;
        }
    }

    private boolean isOpenInSqlite() throws SQLException {
        if (!begins()) {
            return true; // "cannot start a transaction within a transaction"
        }
        try {
            commit.run();
        } catch (SQLException e) {
            endCursors(); // one of them writes, and was about to be committed with its last row
            commit.run();
        }
        return false;
    }

    private boolean begins() throws SQLException {
        try {
            return deferred.runIfPossible();
        } catch (SQLException e) {
            // An interrupt holds until no statement runs.
            endCursors();
            for (Statement query : List.copyOf(keys)) {
                query.close();
            }
            keys.clear();
            return deferred.runIfPossible();
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

    /** Commits. If that fails, the transaction is either still open, or the exception says that it was rolled back. */
    void commit() throws SQLException {
        use.lock();
        try {
            commitAlone();
        } finally {
            use.unlock();
        }
    }

    private void commitAlone() throws SQLException {
        refuseInAutoCommit("commit");
        endCursors();
        Throwable reason = lost;
        if (reason != null) {
            rollback();
            throw cannotCommit(reason);
        }
        try {
            if (open) {
                commit.run();
                open = false;
            }
        } catch (Throwable t) {
            failed(t);
            if (!unknown) {
                lost = null; // this exception says so
            }
            refuseIfEnded(t);
            throw t;
        } finally {
            leaveIfIdle();
        }
    }

    private SQLException cannotCommit(Throwable reason) {
        return new SQLTransactionRollbackException(
                "Cannot commit on " + turn.database() + ": SQLite had rolled back the transaction because of an earlier"
                        + " failure (" + reason.getMessage() + "); repeat all of it",
                ROLLED_BACK,
                reason);
    }

    void rollback() throws SQLException {
        refuseInAutoCommit("roll back");
        rollbackIfOpen();
    }

    /** Rolls back, also what SQL text has begun in auto-commit mode. */
    void rollbackIfOpen() throws SQLException {
        use.lock();
        try {
            endCursors();
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
        rollback.runIfPossible(); // or there is no transaction any more
        open = false;
        unknown = false;
    }

    private void refuseInAutoCommit(String what) throws SQLException {
        if (isAutoCommit()) {
            throw new SQLException(
                    "Cannot " + what + " on " + turn.database()
                            + " in auto-commit mode; call setAutoCommit(false) first",
                    INVALID_STATE);
        }
    }

    /** Runs what needs a transaction to be open, and leaves it open. */
    <T> T atSavepoint(Action<T> action) throws SQLException {
        refuseInAutoCommit("use a savepoint");
        return execute(SqlKind.QUERY, 0, null, action);
    }

    boolean isOpen() {
        return open;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    /** Within a transaction that may write, this restricts it from now on, or lifts that. */
    void setReadOnly(boolean on) throws SQLException {
        if (open && openReadOnly && !on) {
            throw new SQLException(
                    "The read-only transaction on " + turn.database() + " cannot become one that writes; end it first",
                    INVALID_STATE);
        }
        readOnly = on;
    }

    /** What the last insert on this connection has generated. */
    long lastInsertRowId() throws SQLException {
        SqliteCommand mine = lastInsertRowId;
        if (mine == null) {
            mine = new SqliteCommand(connection, "SELECT last_insert_rowid()");
            lastInsertRowId = mine;
        }
        return mine.value();
    }

    /** Whether the connection is not as it was when its user got it. */
    boolean isUsed() {
        return open
                || lost != null
                || readOnly
                || queryOnlyIsForeign
                || !isAutoCommit()
                || !cursors.isEmpty()
                || turn.isHeld();
    }

    /**
     * Makes the connection fit for its next user.
     *
     * @throws SQLException if that fails; its SQL state makes pools close the connection
     */
    void reset() throws SQLException {
        if (open) {
            LOG.warn(
                    "A connection to {} was given back within a transaction, which is rolled back; end what SQL begins",
                    turn.database());
        }
        try {
            rollbackIfOpen();
            connection.getConnectionConfig().setAutoCommit(true);
            readOnly = false;
            if (queryOnlyIsForeign) {
                setQueryOnly(false);
                queryOnlyIsForeign = false;
            }
            turn.returnLent();
        } catch (SQLException e) {
            throw new SQLNonTransientConnectionException(
                    "A connection to " + turn.database() + " cannot be used again: " + e.getMessage(), UNUSABLE, e);
        }
    }

    private void leaveIfIdle() {
        openReadOnly &= open;
        if (!open
                && (cursors.isEmpty()
                        || (!turn.isForReaders() && cursors.stream().noneMatch(Cursor::writes)))) {
            turn.leave();
        }
    }
}
