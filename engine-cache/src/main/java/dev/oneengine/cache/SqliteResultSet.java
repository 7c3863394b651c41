package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.core.CoreStatement;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4ResultSet;

/**
 * The rows of one execution. The driver has only one object for each statement, which shows the rows of the next execution later.
 * Confined to its connection's thread.
 */
final class SqliteResultSet extends JDBC4ResultSet {
    private final StatementRunner runner;
    private final SqliteCursor cursor;

    /** Whether SQLite is positioned on a row of this result. */
    private boolean active;

    SqliteResultSet(CoreStatement statement, StatementRunner runner, SqliteCursor cursor, int columns, boolean active) {
        super(statement);
        this.runner = runner;
        this.cursor = cursor;
        this.active = active;
        colsMeta = new String[columns];
        emptyResultSet = !active;
        open = true;
    }

    boolean isActive() {
        return active;
    }

    /** Reads the column names at the first call, because most readers use column numbers. */
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
        runner.enterDriver();
        try {
            more = super.next();
        } catch (SQLException e) {
            runner.failed(e);
            pastLastRow = true; // another step would run the statement again
            end();
            runner.turn.throwIfEnded(e);
            throw e;
        } finally {
            runner.leaveDriver();
        }
        if (!more) {
            end();
        }
        return more;
    }

    /** Releases SQLite's lock. SQLite does so itself after the last row, but not if a row limit ends the result. */
    private void end() throws SQLException {
        if (active) {
            active = false;
            if (!stmt.pointer.isClosed()) {
                stmt.pointer.safeRunInt((db, statement) -> db.reset(statement));
            }
            runner.ended(cursor);
        }
    }

    @Override
    public void close() throws SQLException {
        boolean wasActive = active;
        active = false;
        super.close();
        open = false;
        if (wasActive) {
            runner.ended(cursor);
        }
    }
}
