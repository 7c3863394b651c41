package dev.oneengine.cache;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4PreparedStatement;
import org.sqlite.jdbc4.JDBC4ResultSet;

/**
 * A prepared statement that runs in the transaction of its connection.
 *
 * <p>A kept statement is a template that never runs itself. Each user gets a copy with its own pointer, which is closed with the copy.
 * A copy is not prepared again, as the driver's constructor would do. The settings of a user end with the copy.
 *
 * <p>Confined to one thread, except {@link #cancel}.
 */
final class SqlitePreparedStatement extends JDBC4PreparedStatement
        implements SqliteCursor, StatementCache.Entry, Cloneable {
    /** The longest parameter, in characters or bytes, that stays in a kept statement until the next one replaces it. */
    private static final int LONGEST_KEPT = 256;

    private final StatementRunner runner;
    private final StatementCache<SqlitePreparedStatement> statements;
    private final SqlKind kind;
    private StatementResults execution;

    /** The template to keep when this statement is closed; {@code null} for none. */
    private @Nullable SqlitePreparedStatement template;

    /** Whether SQLite has run the statement, and so noticed any change of the schema. */
    private boolean executed;

    private boolean hasLongParameter;

    SqlitePreparedStatement(
            SQLiteConnection connection,
            StatementRunner runner,
            StatementCache<SqlitePreparedStatement> statements,
            String sql,
            SqlKind kind)
            throws SQLException {
        super(connection, sql);
        this.runner = runner;
        this.statements = statements;
        this.kind = kind;
        this.execution = new StatementResults(this, runner);
    }

    /** Returns a copy for one user. Closing the copy returns this template to the cache. */
    SqlitePreparedStatement lend() throws SQLException {
        try {
            // The driver's result set object belongs to the template; copies use only its row limits.
            rs.close();
            rs.maxRows = 0;
            SqlitePreparedStatement copy = (SqlitePreparedStatement) clone();
            copy.template = this;
            copy.pointer = new LentStatementPointer(getDatabase(), pointer);
            copy.execution = new StatementResults(copy, runner);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    private <T> T run(SqliteAction<T> action) throws SQLException {
        runner.requireConnection();
        checkOpen();
        end();
        if (!executed) {
            clearParametersOfLastUser();
            executed = true; // last, so that a call after a StackOverflowError clears them
        }
        return runner.execute(kind, getQueryTimeout(), this, action);
    }

    /**
     * Clears the parameters if this user has set none. Otherwise the driver binds all of them. Most statements must not be cleared: SQLite
     * would prepare a statement again whose plan may depend on a parameter, such as a join.
     */
    private void clearParametersOfLastUser() throws SQLException {
        if (template != null && batch == null) {
            pointer.safeRunInt(DB::clear_bindings);
        }
    }

    @Override
    protected void batch(int position, @Nullable Object value) throws SQLException {
        super.batch(position, value);
        hasLongParameter |= (value instanceof String text && text.length() > LONGEST_KEPT)
                || (value instanceof byte[] bytes && bytes.length > LONGEST_KEPT);
    }

    @Override
    public boolean execute() throws SQLException {
        return run(super::execute);
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return run(super::executeQuery);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return run(super::executeLargeUpdate);
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return batchQueryCount == 0 ? new long[0] : run(super::executeLargeBatch);
    }

    @Override
    public @Nullable ResultSet getResultSet() throws SQLException {
        checkOpen();
        if (exhaustedResults) {
            return null;
        }
        ResultSet rows = execution.rows(this, resultsWaiting, rs.maxRows);
        resultsWaiting = false;
        return rows;
    }

    /** Describes the columns. The driver would describe only the rows that it returned last. */
    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        checkOpen();
        if (template != null && !executed) {
            template = null;
            // SQLite describes a kept statement by the old schema until the statement runs again.
            runner.preparing(kind, () -> {
                getDatabase().prepare(this);
                return true;
            });
        }
        JDBC4ResultSet columns = new JDBC4ResultSet(this);
        columns.colsMeta = pointer.safeRun(DB::column_names);
        return columns;
    }

    @Override
    public void setLargeMaxRows(long max) throws SQLException {
        checkOpen();
        super.setLargeMaxRows(max);
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        checkOpen();
        super.setFetchSize(rows);
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        boolean more = super.getMoreResults(current);
        end();
        return more;
    }

    @Override
    public void free() throws SQLException {
        pointer.close();
    }

    @Override
    public void requireOpen() throws SQLException {
        checkOpen();
    }

    @Override
    public boolean writes() {
        return kind.writes();
    }

    @Override
    public boolean isActive() {
        return execution.isActive(resultsWaiting);
    }

    @Override
    public void end() throws SQLException {
        boolean waiting = resultsWaiting;
        resultsWaiting = false;
        execution.end(waiting);
        runner.ended(this);
    }

    @Override
    public void updateGeneratedKeys() throws SQLException {
        if (getConnectionConfig().isGetGeneratedKeys()) {
            execution.rememberKey(kind);
        }
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return execution.keys();
    }

    /** Interrupts the connection's running statement, but not the one of the connection's next user. */
    @Override
    public void cancel() throws SQLException {
        if (!isClosed()) {
            runner.interrupt();
        }
    }

    @Override
    public void close() throws SQLException {
        try {
            runner.stop(this);
            execution.forgetKey();
            end();
            if (template != null && pointer instanceof LentStatementPointer lent && lent.giveBack(hasLongParameter)) {
                statements.add(sql, template);
            }
        } finally {
            super.close();
        }
    }
}
