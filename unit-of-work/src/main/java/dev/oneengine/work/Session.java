package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/** A transaction on a pooled connection, in the way of its database. For one thread. */
abstract sealed class Session permits Session.Sqlite, Session.Standard {
    /** What a connection does that is thrown away: at once, in this thread. */
    private static final Executor HERE = Runnable::run;

    private final Connection connection;

    private Session(Connection connection) {
        this.connection = connection;
    }

    static Session of(Connection connection, boolean sqlite) throws SQLException {
        return sqlite ? new Sqlite(connection) : new Standard(connection);
    }

    final Connection connection() {
        return connection;
    }

    abstract void begin(boolean readOnly) throws SQLException;

    /** Ends the transaction for good; if that fails it is still open, or may be. */
    abstract void commit() throws SQLException;

    abstract void rollback() throws SQLException;

    /** Makes the connection what it was before {@link #begin}. */
    abstract void restore() throws SQLException;

    /** Refuses all writes from now on, within the transaction. */
    abstract void restrict() throws SQLException;

    /** Undoes {@link #restrict}. */
    abstract void unrestrict() throws SQLException;

    /**
     * Finds out whether a failure of a statement has ended the transaction, as it does without asking in some databases. If
     * so, begins another one, so that whatever follows can still be rolled back.
     */
    abstract boolean isLost() throws SQLException;

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

    /**
     * SQLite, below its driver's transactions: after a commit and after a roll-back those begin another transaction at once,
     * and with it take the lock that others wait for.
     */
    static final class Sqlite extends Session {
        private final SQLiteConnection sqlite;
        private boolean restricted;

        private Sqlite(Connection connection) throws SQLException {
            super(connection);
            sqlite = connection.unwrap(SQLiteConnection.class);
        }

        @Override
        void begin(boolean readOnly) throws SQLException {
            // One that reads first and then writes would fail where another writes meanwhile: writers begin as such.
            execute(readOnly ? "BEGIN" : "BEGIN IMMEDIATE");
            sqlite.getConnectionConfig().setAutoCommit(false);
            if (readOnly) {
                restrict();
            }
        }

        @Override
        void commit() throws SQLException {
            execute("COMMIT");
            sqlite.getConnectionConfig().setAutoCommit(true);
        }

        @Override
        void rollback() throws SQLException {
            execute("ROLLBACK");
            sqlite.getConnectionConfig().setAutoCommit(true);
        }

        @Override
        void restore() throws SQLException {
            if (restricted) {
                unrestrict();
            }
        }

        @Override
        void restrict() throws SQLException {
            restricted = true;
            execute("PRAGMA query_only = 1");
        }

        @Override
        void unrestrict() throws SQLException {
            execute("PRAGMA query_only = 0");
            restricted = false;
        }

        @Override
        boolean isLost() throws SQLException {
            try {
                execute("BEGIN");
                return true;
            } catch (SQLException e) {
                if (e.getErrorCode() == SQLiteErrorCode.SQLITE_ERROR.code) {
                    return false; // "cannot start a transaction within a transaction"
                }
                throw e;
            }
        }

        private void execute(String sql) throws SQLException {
            sqlite.getDatabase().exec(sql, false);
        }
    }

    /** Any database whose driver does what JDBC says. */
    static final class Standard extends Session {
        private @Nullable Savepoint beforeRestriction;
        private boolean readOnly;

        private Standard(Connection connection) {
            super(connection);
        }

        @Override
        void begin(boolean readOnly) throws SQLException {
            this.readOnly = readOnly;
            if (readOnly) {
                connection().setReadOnly(true);
            }
            connection().setAutoCommit(false);
        }

        @Override
        void commit() throws SQLException {
            connection().commit();
        }

        @Override
        void rollback() throws SQLException {
            connection().rollback();
        }

        @Override
        void restore() throws SQLException {
            connection().setAutoCommit(true);
            if (readOnly) {
                connection().setReadOnly(false);
            }
        }

        /** PostgreSQL lets nobody lift this within the transaction, but going back to a savepoint does. */
        @Override
        void restrict() throws SQLException {
            beforeRestriction = connection().setSavepoint();
            try (Statement statement = connection().createStatement()) {
                statement.execute("SET LOCAL transaction_read_only = on");
            }
        }

        @Override
        void unrestrict() throws SQLException {
            Savepoint savepoint = Objects.requireNonNull(beforeRestriction);
            beforeRestriction = null;
            connection().rollback(savepoint);
            connection().releaseSavepoint(savepoint);
        }

        /** Here a failure leaves the transaction open, able to do nothing but to roll back. */
        @Override
        boolean isLost() {
            return false;
        }
    }
}
