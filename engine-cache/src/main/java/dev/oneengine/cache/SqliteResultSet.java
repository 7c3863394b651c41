package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.core.CoreStatement;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4ResultSet;

/**
 * The rows of one execution. The driver has one object per statement, which later shows the rows of the next execution. Confined to
 * its connection's thread.
 */
final class SqliteResultSet extends JDBC4ResultSet {
    private final SqliteTransaction transaction;
    private final SqliteTransaction.Cursor cursor;

    /** Whether SQLite stands at a row for this. */
    private boolean active;

    SqliteResultSet(
            CoreStatement statement,
            SqliteTransaction transaction,
            SqliteTransaction.Cursor cursor,
            int columns,
            boolean active) {
        super(statement);
        this.transaction = transaction;
        this.cursor = cursor;
        this.active = active;
        colsMeta = new String[columns];
        emptyResultSet = !active;
        open = true;
    }

    boolean isActive() {
        return active;
    }

    /** Reads the names of the columns when the first one is asked for: most readers use their numbers. */
    @Override
    public int findColumn(String name) throws SQLException {
        if (cols == null && open) {
            cols = stmt.pointer.safeRun(DB::column_names);
        }
        return super.findColumn(name);
    }

    @Override
    public boolean next() throws SQLException {
        boolean more;
        transaction.enterDriver();
        try {
            more = super.next();
        } catch (SQLException e) {
            transaction.failed(e);
            pastLastRow = true; // another step would run the statement again
            end();
            transaction.refuseIfEnded(e);
            throw e;
        } finally {
            transaction.leaveDriver();
        }
        if (!more) {
            end();
        }
        return more;
    }

    /** Lets SQLite's lock go: after the last row SQLite does so itself, but not where a limit on rows has stopped it. */
    private void end() throws SQLException {
        if (active) {
            active = false;
            if (!stmt.pointer.isClosed()) {
                stmt.pointer.safeRunInt((db, statement) -> db.reset(statement));
            }
            transaction.ended(cursor);
        }
    }

    @Override
    public void close() throws SQLException {
        boolean wasActive = active;
        active = false;
        super.close();
        open = false;
        if (wasActive) {
            transaction.ended(cursor);
        }
    }
}
