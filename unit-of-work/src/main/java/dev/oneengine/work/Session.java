package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.EngineSettings.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A transaction on a pooled connection. Confined to its thread. */
final class Session {
    /** What a connection does that is thrown away: at once, in this thread. */
    private static final Executor HERE = Runnable::run;

    private final Connection connection;
    private final boolean sqlite;

    /** Whether this library knows nothing about the database and uses plain JDBC. */
    private final boolean other;

    private final Isolation isolation;

    /** The isolation to restore. JDBC sets it for the session, not for the transaction. */
    private int isolationBefore;

    private boolean readOnly;

    /** Whether {@code query_only} is switched here, because the connection is one of SQLite's plain driver, which cannot. */
    private boolean byPragma;

    private @Nullable Savepoint beforeRestriction;

    /** What may have happened to the transaction on PostgreSQL; {@code null} elsewhere, where such a commit is rejected. */
    private final @Nullable PostgresTransaction postgres;

    /** What keeps the connection busy: until its end, the driver would let anything else wait for ever. */
    private @Nullable Activity activity;

    /** Something that a participant begins and ends, such as a COPY. */
    interface Activity {
        boolean isActive();

        void cancel() throws SQLException;
    }

    /** Prepares a session. The isolation has no effect on SQLite, where transactions are always serialisable. */
    Session(Connection connection, Kind kind, Isolation isolation) throws SQLException {
        this.connection = connection;
        this.sqlite = kind.isSqlite();
        this.other = kind == Kind.OTHER;
        this.isolation = isolation;
        this.postgres = kind == Kind.POSTGRESQL ? new PostgresTransaction(connection) : null;
    }

    Connection connection() {
        return connection;
    }

    void begin(boolean forReading) throws SQLException {
        if (postgres != null) {
            connection.setAutoCommit(false);
            setCharacteristics(forReading);
            return;
        }
        if (forReading) {
            readOnly = true;
            setReadOnly(true);
        }
        if (other) {
            isolationBefore = connection.getTransactionIsolation();
            switchIsolation(isolation.jdbc());
        }
        connection.setAutoCommit(false);
    }

    private void switchIsolation(int level) throws SQLException {
        if (connection.getTransactionIsolation() != level) {
            connection.setTransactionIsolation(level);
        }
    }

    /**
     * Sets isolation and access within the transaction. For the session, a setting would outlive the unit, and behind a proxy
     * such as PgBouncer reach other clients. Sent in every unit, as the client cannot know the default of the session:
     * server, database, role, URL and proxy can each change it. {@code setReadOnly} would not do: what it sends depends on
     * the driver's parameter {@code readOnlyMode}, and can be a setting of the session, or nothing.
     */
    private void setCharacteristics(boolean forReading) throws SQLException {
        String level = switch (isolation) {
            case READ_COMMITTED -> "READ COMMITTED";
            case REPEATABLE_READ -> "REPEATABLE READ";
            case SERIALIZABLE -> "SERIALIZABLE";
        };
        execute("SET TRANSACTION ISOLATION LEVEL " + level + (forReading ? ", READ ONLY" : ""));
    }

    /** PostgreSQL's own driver, or {@code null} if the connection is none of it. */
    @Nullable PostgresDriver driver() {
        return postgres == null ? null : postgres.driver();
    }

    void occupy(Activity begun) {
        activity = begun;
    }

    /** Fails while something runs that a participant has begun and not ended. */
    void requireFree() throws SQLException {
        if (running() != null) {
            throw new SQLException("A COPY runs on this connection; end or cancel it before anything else");
        }
    }

    /** Fails like {@link #requireFree}, but leaves nothing running. */
    void cancelWhatRuns() throws SQLException {
        Activity running = running();
        if (running != null) {
            running.cancel();
            SQLException failure =
                    new SQLException("A COPY was begun and not ended, so it was cancelled; end or cancel each COPY");
            failed(failure);
            throw failure;
        }
    }

    private void cancelQuietly() throws SQLException {
        Activity running = running();
        if (running != null) {
            running.cancel();
        }
    }

    private @Nullable Activity running() {
        Activity begun = activity;
        return begun != null && begun.isActive() ? begun : null;
    }

    /** Notes a failure in the transaction. */
    void failed(Throwable failure) {
        if (postgres != null) {
            postgres.failed(failure);
        }
    }

    /** Notes that a call of a participant succeeded. */
    void succeeded() {
        if (postgres != null) {
            postgres.succeeded();
        }
    }

    /** Returns the failure that made PostgreSQL abort the transaction, or {@code null}; the server would commit nothing. */
    @Nullable Throwable abortion() {
        return postgres == null ? null : postgres.abortion();
    }

    Savepoint setSavepoint() throws SQLException {
        cancelWhatRuns();
        try {
            return connection.setSavepoint();
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    void releaseSavepoint(Savepoint savepoint) throws SQLException {
        cancelWhatRuns();
        connection.releaseSavepoint(savepoint);
    }

    /** Rolls back to a savepoint, and releases it. */
    void rollBackTo(Savepoint savepoint) throws SQLException {
        cancelQuietly();
        connection.rollback(savepoint);
        connection.releaseSavepoint(savepoint);
        if (postgres != null) {
            postgres.rolledBackToSavepoint();
        }
    }

    /**
     * Ends the transaction for good; if that fails it is still open, or may be. For JDBC, read-only is no more than a hint, so
     * where nothing else is known, what a read-only transaction has written is rolled back.
     */
    void commit() throws SQLException {
        if (other && readOnly) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    void rollback() throws SQLException {
        cancelQuietly();
        connection.rollback();
    }

    /** Makes the connection what it was before {@link #begin}. */
    void restore() throws SQLException {
        connection.setAutoCommit(true);
        if (readOnly || byPragma) {
            setReadOnly(false);
        }
        if (other) {
            switchIsolation(isolationBefore);
        }
    }

    /**
     * Rejects all writes from now on, within the transaction. PostgreSQL lets nobody lift that before the end of the transaction,
     * but going back to a savepoint does. Other databases accept writes, but going back discards them.
     */
    void restrict() throws SQLException {
        if (sqlite) {
            setReadOnly(true);
        } else {
            beforeRestriction = setSavepoint();
            if (!other) {
                execute("SET LOCAL transaction_read_only = on");
            }
        }
    }

    /** Reverts {@link #restrict}. */
    void unrestrict() throws SQLException {
        if (sqlite) {
            setReadOnly(false);
        } else {
            Savepoint savepoint = Objects.requireNonNull(beforeRestriction);
            beforeRestriction = null;
            rollBackTo(savepoint);
        }
    }

    private void setReadOnly(boolean on) throws SQLException {
        if (!byPragma) {
            try {
                connection.setReadOnly(on);
                return;
            } catch (SQLException e) {
                if (!sqlite || !on) {
                    throw e;
                }
                byPragma = true;
            }
        }
        execute("PRAGMA query_only = " + (on ? 1 : 0));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Whether the database has rolled back the transaction because of a failure, as SQLite does in some cases. */
    static boolean hasEnded(Throwable failure) {
        return Boolean.TRUE.equals(Throwables.ask(() -> saysSo(failure)));
    }

    private static boolean saysSo(Throwable failure) {
        SQLException next = failure instanceof SQLException first ? first.getNextException() : null;
        while (next != null && !(next instanceof SQLTransactionRollbackException)) {
            next = next.getNextException();
        }
        return next != null;
    }

    /** Throws a connection away; whatever it has not committed, the database rolls back. */
    static void discard(Connection connection, Throwable reason) {
        try {
            connection.abort(HERE);
            letPoolNotice(connection);
        } catch (Throwable t) {
            Throwables.suppress(reason, t);
        }
        try {
            connection.close();
        } catch (Throwable t) {
            Throwables.suppress(reason, t);
        }
    }

    /** A pool would give out again what it has not seen fail, and only looks at a connection that was unused for a while. */
    private static void letPoolNotice(Connection connection) {
        try {
            connection.createStatement();
        } catch (SQLException e) {
            // That is what it is for.
        }
    }
}
