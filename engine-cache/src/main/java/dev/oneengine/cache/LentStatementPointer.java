package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;
import org.sqlite.core.SafeStmtPtr;

/**
 * The right to use a native statement that the connection keeps. All uses of a statement and its rows pass through their pointer.
 * So a statement that has been given back is closed for its former user, whatever its next user does.
 *
 * <p>Thread-safe; guarded by the lock of the database, like the native statement.
 */
final class LentStatementPointer extends SafeStmtPtr {
    private final DB database;
    private final SafeStmtPtr kept;

    /** The native statement. Passing each call on through {@link #kept} would lock the database twice, for every column. */
    private final long statement;

    private volatile boolean closed;

    LentStatementPointer(DB database, SafeStmtPtr kept) throws SQLException {
        super(database, 0);
        this.database = database;
        this.kept = kept;
        this.statement = kept.safeRunLong((db, pointer) -> pointer);
    }

    @Override
    public boolean isClosed() {
        return closed || kept.isClosed();
    }

    /** Closes the native statement: the driver does so after most failures. */
    @Override
    public int close() throws SQLException {
        synchronized (database) {
            if (closed) {
                return SQLiteErrorCode.SQLITE_OK.code;
            }
            closed = true;
            return kept.close();
        }
    }

    /**
     * Ends this right, without parameters and rows of its user.
     *
     * @return whether the native statement can be used again
     */
    boolean giveBack() throws SQLException {
        synchronized (database) {
            if (isClosed()) {
                return false;
            }
            closed = true;
            kept.safeRunInt(DB::reset);
            kept.safeRunInt(DB::clear_bindings);
            return true;
        }
    }

    private void checkOpen() throws SQLException {
        if (isClosed()) {
            throw new SQLException("The statement is closed");
        }
    }

    @Override
    public <E extends Throwable> int safeRunInt(SafePtrIntFunction<E> run) throws SQLException, E {
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> long safeRunLong(SafePtrLongFunction<E> run) throws SQLException, E {
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> double safeRunDouble(SafePtrDoubleFunction<E> run) throws SQLException, E {
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <T, E extends Throwable> T safeRun(SafePtrFunction<T, E> run) throws SQLException, E {
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> void safeRunConsume(SafePtrConsumer<E> run) throws SQLException, E {
        synchronized (database) {
            checkOpen();
            run.run(database, statement);
        }
    }
}
