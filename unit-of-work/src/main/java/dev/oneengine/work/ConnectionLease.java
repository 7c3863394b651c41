package dev.oneengine.work;

import dev.oneengine.cache.AccessMode;
import dev.oneengine.cache.Admission;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.internal.Throwables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a unit of work, with its turn in the engine's queue and the statements that are open on it. However the unit ends, the
 * lease returns all of them. A connection returns to the pool only in its original state. Confined to its thread.
 *
 * <p>The methods that end a lease use no lambda. Linking a lambda needs stack space. Near the end of the stack it would
 * fail, and the unit would keep the connection.
 */
final class ConnectionLease {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLease.class);

    /** Runs the tasks that {@link Connection#abort} passes to an executor, at once and in the same thread. */
    private static final Executor SAME_THREAD = Runnable::run;

    private final Admission admission;
    final TransactionControl control;
    private final List<AutoCloseable> opened = new ArrayList<>(2);

    /** The failure that broke the connection. From then on, nothing that the connection does is reliable. */
    private @Nullable Throwable broken;

    /** Whether the connection was returned and may belong to another thread. */
    private boolean over;

    private ConnectionLease(Admission admission, TransactionControl control) {
        this.admission = admission;
        this.control = control;
    }

    /**
     * Waits for a turn, takes a connection and starts a transaction.
     *
     * @throws SQLException if the wait for the turn or the connection times out, or the transaction cannot start
     */
    static ConnectionLease take(Engine engine, UnitSettings settings, boolean readOnly) throws SQLException {
        Admission admission = engine.enter(readOnly ? AccessMode.READ : AccessMode.WRITE, settings.queueTimeout());
        try {
            return new ConnectionLease(admission, start(engine, admission, settings, readOnly));
        } catch (Throwable t) {
            admission.close();
            throw t;
        }
    }

    private static TransactionControl start(Engine engine, Admission admission, UnitSettings settings, boolean readOnly)
            throws SQLException {
        Connection connection = admission.connection();
        try {
            TransactionControl control =
                    TransactionControl.of(connection, engine.url().kind(), settings.isolation());
            control.start(readOnly);
            return control;
        } catch (Throwable t) {
            if (Conflicts.isConflict(t)) {
                admission.close();
                release(connection, t); // its wait for a lock timed out, which changed nothing
            } else {
                discard(connection, t);
            }
            throw t;
        }
    }

    private static void release(Connection connection, Throwable reason) {
        try {
            connection.close();
        } catch (Throwable t) {
            Throwables.suppress(reason, t);
            discard(connection, reason);
        }
    }

    /**
     * Registers an object to be closed at the end of the unit at the latest: statements, the rows of metadata, whose statement is hidden,
     * and streams. An open statement can keep SQLite from committing, or keep the connection at an old state of the database.
     */
    void opened(AutoCloseable object) {
        opened.add(object);
    }

    void closed(AutoCloseable object) {
        for (int i = opened.size() - 1; i >= 0; i--) {
            if (opened.get(i) == object) {
                opened.remove(i);
                return;
            }
        }
    }

    /** Forgets the streams of a nested transaction that was rolled back, because their targets no longer exist. */
    void rolledBack(RollbackScope scope) {
        forgetStreams(scope);
    }

    private void forgetStreams(@Nullable RollbackScope within) {
        for (int i = opened.size() - 1; i >= 0; i--) {
            if (opened.get(i) instanceof PendingStream stream
                    && (within == null || stream.scope().isWithin(within))) {
                opened.remove(i);
            }
        }
    }

    /** Closes the last opened object first, as try-with-resources does. */
    private void closeOpened() throws SQLException {
        for (int i = opened.size() - 1; i >= 0; i--) {
            close(opened.remove(i));
        }
    }

    private static void close(AutoCloseable object) throws SQLException {
        try {
            object.close();
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException("Cannot write the end of a stream: " + e.getMessage(), e);
        }
    }

    /** Marks the connection as broken. It is then discarded at the end without another call of the driver. */
    void breakConnection(Throwable reason) {
        broken = reason;
    }

    /**
     * Commits and returns everything. Streams are closed before the commit, because they may hold data.
     *
     * @throws SQLException if the commit fails; the caller must then roll back
     */
    void commit() throws SQLException {
        try {
            control.requireCopyEnded();
            closeOpened();
            control.commit();
        } catch (RuntimeException | Error e) {
            breakConnection(e);
            throw e;
        }
        giveBack(null);
    }

    /**
     * Rolls back and returns everything, unless that was done. Discarding a broken connection has the same effect.
     *
     * @return the failure of the rollback, or {@code null}
     */
    @Nullable Throwable rollback() {
        if (over) {
            return null;
        }
        Throwable trouble = null;
        if (broken == null) {
            try {
                control.rollback();
                forgetStreams(null); // closing them would write
                closeOpened();
            } catch (Throwable t) {
                trouble = t;
                breakConnection(t);
            }
        }
        giveBack(broken);
        return trouble;
    }

    private void giveBack(@Nullable Throwable unfit) {
        over = true;
        try {
            Throwable reason = unfit == null ? returnToPool() : unfit;
            if (reason != null) {
                discard(control.connection, reason);
                logDiscarded(reason);
            }
        } finally {
            admission.close();
        }
    }

    /** Returns the failure that makes the connection unfit for its next user, or {@code null}. */
    private @Nullable Throwable returnToPool() {
        try {
            control.restore();
            admission.takeBack(); // first: after close() the connection may belong to another thread, which has a turn
            control.connection.close();
            return null;
        } catch (Throwable t) {
            return t;
        }
    }

    /** Discards a connection. The database rolls back its open transaction. */
    private static void discard(Connection connection, Throwable reason) {
        try {
            connection.abort(SAME_THREAD);
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

    /**
     * Makes a call fail: the pool would reuse a connection without a failed call, because it tests only connections that were unused for a
     * while.
     */
    private static void letPoolNotice(Connection connection) {
        try {
            connection.createStatement();
        } catch (SQLException e) {
            // the pool has noticed
        }
    }

    private static void logDiscarded(Throwable reason) {
        try {
            LOG.debug("A connection was discarded", reason);
        } catch (Throwable t) {
            // a logger that fails must not change how a unit ends
        }
    }
}
