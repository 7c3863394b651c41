package dev.oneengine.cache;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConnection;

/**
 * The wait of one connection for SQLite's lock, while another process or another engine holds it. Replaces SQLite's own handler, which
 * cannot be interrupted. Confined to its thread.
 */
final class SqliteLockWait {
    /** The longest sleep before the next attempt. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final SQLiteConnection connection;
    private final ConnectionTurn turn;

    /** Whether to wait at all. */
    private boolean waits = true;

    SqliteLockWait(SQLiteConnection connection, ConnectionTurn turn) throws SQLException {
        this.connection = connection;
        this.turn = turn;
        install();
    }

    private void install() throws SQLException {
        BusyHandler.setHandler(connection, new Handler());
    }

    /** Makes the action fail with SQLITE_BUSY instead of waiting for a lock. */
    <T> T withoutWaiting(SqliteAction<T> action) throws SQLException {
        waits = false;
        try {
            return action.run();
        } finally {
            waits = true;
        }
    }

    /** Runs a pragma that reads or sets the timeout of SQLite's own handler, and adopts its new value. */
    <T> T withDriversBusyTimeout(SqliteAction<T> action) throws SQLException {
        connection.getDatabase().busy_timeout(connection.getBusyTimeout());
        try {
            T result = action.run();
            connection.setBusyTimeout((int) SqliteCommand.valueOf(connection, "PRAGMA busy_timeout"));
            return result;
        } finally {
            install();
        }
    }

    /** Sleeps between attempts, and gives up when the connection ends. */
    private final class Handler extends BusyHandler {
        private long deadline;

        @Override
        protected int callback(int earlierCalls) {
            long now = System.nanoTime();
            if (earlierCalls == 0) {
                deadline = now + TimeUnit.MILLISECONDS.toNanos(connection.getBusyTimeout());
            }
            if (!waits
                    || turn.isGivenUp()
                    || deadline - now <= 0
                    || Thread.currentThread().isInterrupted()) {
                return 0;
            }
            long sleep = TimeUnit.MICROSECONDS.toNanos(100L << Math.min(earlierCalls, 7));
            LockSupport.parkNanos(this, Math.min(deadline - now, Math.min(LONGEST_SLEEP_NANOS, sleep)));
            return 1;
        }
    }
}
