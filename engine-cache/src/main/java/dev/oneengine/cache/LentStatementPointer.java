package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;
import org.sqlite.core.SafeStmtPtr;

/**
 * A pointer to a kept native statement, lent to one user. Each use of a statement and its rows passes through the pointer. So a returned
 * statement is closed for its former user, whatever its next user does.
 *
 * <p>Each method that runs a function first calls its {@code equals}, which changes nothing. HotSpot compiles a call for the classes that
 * it has seen, and discards the compiled code at the first object of another class. {@code equals} makes that happen before the lock is
 * taken. Otherwise HotSpot would replace the lock by a slow one for a minute or more, and reading rows would take a fifth longer.
 *
 * <p>Thread-safe. The lock of the database guards it, like the native statement.
 */
@SuppressWarnings("ReturnValueIgnored") // of equals
final class LentStatementPointer extends SafeStmtPtr {
    private final DB database;
    private final SafeStmtPtr kept;

    /** The native statement. Forwarding each call to {@link #kept} would lock the database twice for each column. */
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

    /** Closes the native statement. The driver calls this after most failures. */
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
     * Ends the loan, and clears the rows of its user.
     *
     * @param clearParameters whether to clear the parameters as well, which makes the next run of some statements slow
     * @return whether the native statement can be used again
     */
    boolean giveBack(boolean clearParameters) throws SQLException {
        synchronized (database) {
            if (isClosed()) {
                return false;
            }
            closed = true;
            kept.safeRunInt(DB::reset);
            if (clearParameters) {
                kept.safeRunInt(DB::clear_bindings);
            }
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
        run.equals(kept);
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> long safeRunLong(SafePtrLongFunction<E> run) throws SQLException, E {
        run.equals(kept);
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> double safeRunDouble(SafePtrDoubleFunction<E> run) throws SQLException, E {
        run.equals(kept);
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <T, E extends Throwable> T safeRun(SafePtrFunction<T, E> run) throws SQLException, E {
        run.equals(kept);
        synchronized (database) {
            checkOpen();
            return run.run(database, statement);
        }
    }

    @Override
    public <E extends Throwable> void safeRunConsume(SafePtrConsumer<E> run) throws SQLException, E {
        run.equals(kept);
        synchronized (database) {
            checkOpen();
            run.run(database, statement);
        }
    }
}
