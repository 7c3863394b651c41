package dev.oneengine.migration;

import dev.oneengine.cache.AccessMode;
import dev.oneengine.cache.Admission;
import dev.oneengine.cache.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * One transaction for a whole run of Flyway: scripts, callbacks and the history table. Flyway alone uses several connections, which
 * on SQLite wait for each other for ever. It leaves an empty history table behind if the first run fails. And if a migration throws an
 * {@link Error}, it switches to auto-commit, which commits half a run.
 *
 * <p>Each call of {@link #getConnection} returns a view of the same connection. On a view, begin, commit and close have no effect. A
 * rollback ends the whole run, because after a failure PostgreSQL accepts nothing but a rollback. Confined to its thread.
 */
final class RunTransaction extends ConnectionOnlyDataSource implements AutoCloseable {
    /** A savepoint that no longer exists at the end if a migration has ended the transaction and begun another one. */
    private static final String SAVEPOINT = "one_engine_run";

    private final Admission admission;
    private final Connection connection;
    private final DatabaseSupport.BeforeCommit beforeCommit;
    private final Progress progress;

    /** Whether a migration has rolled back the work of other migrations. */
    private boolean ended;

    private RunTransaction(
            Admission admission, Connection connection, DatabaseSupport.BeforeCommit beforeCommit, Progress progress) {
        this.admission = admission;
        this.connection = connection;
        this.beforeCommit = beforeCommit;
        this.progress = progress;
    }

    /**
     * Waits for the turn of this run, and begins its transaction. On SQLite other writers may be first, on PostgreSQL other runners.
     *
     * @param lockTimeout the longest wait
     * @param progress knows which migration runs
     */
    static RunTransaction begin(Engine engine, DatabaseSupport database, Duration lockTimeout, Progress progress)
            throws SQLException {
        Admission admission = engine.enter(AccessMode.WRITE, lockTimeout);
        return Cleanup.onFailure(admission::close, () -> {
            Connection connection = EngineConnections.forRun(engine, database).getConnection();
            return Cleanup.onFailure(connection::close, () -> {
                admission.lend(connection);
                connection.setAutoCommit(false);
                DatabaseSupport.BeforeCommit beforeCommit = database.lock(connection, lockTimeout);
                Jdbc.execute(connection, "SAVEPOINT " + SAVEPOINT);
                return new RunTransaction(admission, connection, beforeCommit, progress);
            });
        });
    }

    /**
     * Commits the run.
     *
     * @throws SQLException also if a migration has ended the transaction without Flyway
     */
    void commit() throws SQLException {
        try {
            Jdbc.execute(connection, "RELEASE SAVEPOINT " + SAVEPOINT);
        } catch (SQLException e) {
            throw FlywayFailures.isOfAborted(e) ? e : new SQLException(TransactionView.ENDED, e);
        }
        beforeCommit.run(connection);
        connection.commit();
    }

    /**
     * Explains a failure that follows from an earlier rollback by a migration.
     *
     * @throws SQLException if a migration has rolled back the transaction
     */
    void requireNotEnded(Throwable failure) throws SQLException {
        if (ended) {
            throw new SQLException(TransactionView.ENDED, failure);
        }
    }

    /** Rolls back whatever is not committed. */
    @Override
    public void close() throws SQLException {
        try (admission;
                connection) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public Connection getConnection() {
        return TransactionView.of(connection, this::rollBack);
    }

    private void rollBack() throws SQLException {
        ended |= progress.isWithinMigration();
        connection.rollback();
    }
}
