package dev.oneengine.cache;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.core.CoreStatement;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4Statement;

/**
 * The results of the last execution of a plain or prepared statement: its rows and the generated key. Confined to the thread of its
 * connection.
 */
final class StatementResults {
    private static final Logger LOG = LoggerFactory.getLogger(StatementResults.class);

    private final CoreStatement statement;
    private final StatementRunner runner;
    private @Nullable SqliteResultSet rows;
    private @Nullable Long generatedKey;
    private @Nullable Statement keys;

    StatementResults(CoreStatement statement, StatementRunner runner) {
        this.statement = statement;
        this.runner = runner;
    }

    /** Whether SQLite is positioned on a row, read or unread. */
    boolean isActive(boolean waiting) {
        SqliteResultSet mine = rows;
        return (waiting && !isClosed()) || (mine != null && mine.isActive());
    }

    private boolean isClosed() {
        return statement.pointer == null || statement.pointer.isClosed();
    }

    /**
     * Returns the rows of the last execution.
     *
     * @param waiting whether SQLite is positioned on the first row
     * @return {@code null} if the statement has no rows
     */
    @Nullable ResultSet rows(SqliteCursor cursor, boolean waiting, long maxRows) throws SQLException {
        SqliteResultSet mine = rows;
        if (mine != null && mine.isOpen()) {
            throw new SQLException("The result set of this statement was already returned");
        }
        int columns = statement.pointer.safeRunInt(DB::column_count);
        if (columns == 0) {
            return null;
        }
        mine = new SqliteResultSet(statement, runner, cursor, columns, waiting);
        mine.maxRows = maxRows;
        rows = mine;
        return mine;
    }

    /** Closes the statement as soon as its rows are closed. */
    void closeWithRows(boolean close) {
        SqliteResultSet mine = rows;
        if (mine != null) {
            mine.closeStmt = close;
        }
    }

    /** Closes the rows, and resets a statement whose rows were not read. */
    void end(boolean waiting) throws SQLException {
        SqliteResultSet mine = rows;
        rows = null;
        if (mine != null) {
            mine.close();
        }
        if (waiting && !isClosed()) {
            statement.pointer.safeRunInt((db, pointer) -> db.reset(pointer));
        }
    }

    /**
     * Reads the key of an insert at once, because the next insert on the connection replaces it. The driver would keep a query open
     * for it.
     */
    void rememberKey(SqlKind kind) throws SQLException {
        forgetKey();
        if (kind.inserts()) {
            try {
                generatedKey = runner.lastInsertRowId();
            } catch (SQLException e) {
                LOG.debug("A row was inserted, and its key cannot be read", e); // the insert has succeeded
            }
        }
    }

    void forgetKey() throws SQLException {
        generatedKey = null;
        Statement mine = keys;
        keys = null;
        if (mine != null) {
            runner.cursors.removeKeyQuery(mine);
            mine.close();
        }
    }

    ResultSet keys() throws SQLException {
        Long key = generatedKey;
        forgetKey();
        generatedKey = key;
        // A plain statement of the driver: it reads no table, so it needs no turn.
        Statement mine = new JDBC4Statement(statement.conn);
        keys = mine;
        runner.cursors.addKeyQuery(mine);
        String sql = key == null ? "SELECT 1 WHERE 1 = 2" : "SELECT " + key + " AS \"last_insert_rowid()\"";
        return runner.inDriver(() -> mine.executeQuery(sql));
    }
}
