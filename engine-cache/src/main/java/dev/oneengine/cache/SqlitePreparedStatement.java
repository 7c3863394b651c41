package dev.oneengine.cache;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4PreparedStatement;

/** A prepared statement that runs in the transaction of its connection. Confined to one thread, except {@link #cancel}. */
final class SqlitePreparedStatement extends JDBC4PreparedStatement implements SqliteTransaction.Cursor {
    private final SqliteConnection connection;
    private final SqliteTransaction transaction;
    private final Execution execution;
    private final SqlKind kind;

    SqlitePreparedStatement(SqliteConnection connection, SqliteTransaction transaction, String sql, SqlKind kind)
            throws SQLException {
        super(connection, sql);
        this.connection = connection;
        this.transaction = transaction;
        this.execution = new Execution(this, transaction);
        this.kind = kind;
    }

    private <T> T run(SqliteTransaction.Action<T> action) throws SQLException {
        transaction.requireConnection();
        checkOpen();
        end();
        return transaction.execute(kind, getQueryTimeout(), this, action);
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

    /** The driver forgets the columns with the first execution. */
    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        checkOpen();
        if (rs.colsMeta == null) {
            rs.colsMeta = pointer.safeRun(DB::column_names);
        }
        return super.getMetaData();
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        boolean more = super.getMoreResults(current);
        end();
        return more;
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
        transaction.ended(this);
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

    @Override
    public void cancel() throws SQLException {
        connection.interrupt();
    }

    @Override
    public void close() throws SQLException {
        try {
            transaction.stop(this);
            execution.forgetKey();
            end();
        } finally {
            super.close();
        }
    }
}
