package dev.oneengine.cache;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.jdbc4.JDBC4Statement;

/** A statement that runs in the transaction of its connection. Confined to one thread, except {@link #cancel}. */
final class SqliteStatement extends JDBC4Statement implements SqliteCursor {
    private final StatementRunner runner;
    private final StatementResults execution;
    private SqlKind kind = SqlKind.READ;
    private @Nullable SqlKind batchKind;

    SqliteStatement(SQLiteConnection connection, StatementRunner runner) {
        super(connection);
        this.runner = runner;
        this.execution = new StatementResults(this, runner);
    }

    private <T> T execute(SqlKind nextKind, SqliteAction<T> action) throws SQLException {
        runner.requireConnection();
        requireOpen();
        end();
        kind = nextKind;
        return runner.execute(nextKind, getQueryTimeout(), this, action);
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return execute(SqlKind.of(sql), () -> super.execute(sql));
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        return execute(SqlKind.of(sql), () -> super.executeQuery(sql));
    }

    @Override
    public ResultSet executeQuery(String sql, boolean closeStatement) throws SQLException {
        ResultSet rows = executeQuery(sql);
        execution.closeWithRows(closeStatement);
        return rows;
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return execute(SqlKind.ofScript(sql), () -> super.executeLargeUpdate(sql));
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        end();
        SqlKind next = SqlKind.of(sql);
        super.addBatch(sql);
        batchKind = batchKind == null ? next : batchKind.and(next);
    }

    @Override
    public void clearBatch() throws SQLException {
        batchKind = null;
        super.clearBatch();
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        SqlKind mine = batchKind;
        return mine == null ? new long[0] : execute(mine, super::executeLargeBatch);
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

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        boolean more = super.getMoreResults(current);
        end();
        return more;
    }

    @Override
    public void requireOpen() throws SQLException {
        if (isClosed()) {
            throw new SQLException("This statement is closed; create another one");
        }
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
        } finally {
            super.close();
        }
    }
}
