package dev.oneengine.cache;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A turn in the queue of an engine's database, from {@link Engine#enter} to {@link #close}. The transactions of its connection run in this
 * turn and wait for no other turn. End them before you close the admission.
 *
 * <p>Confined to its thread, except {@link #takeBack} and {@link #close}.
 */
public final class Admission implements AutoCloseable {
    private final EngineDataSource dataSource;

    /** The queue of the turn; {@code null} if no turn is needed. */
    private final @Nullable AccessQueue queue;

    /** The turn until it is given back. */
    private final AtomicReference<HeldTurns.@Nullable Turn> turn;

    /** The place of the turn in the connection that uses it. */
    private volatile @Nullable ConnectionTurn user;

    private Admission(EngineDataSource dataSource, @Nullable AccessQueue queue, HeldTurns.@Nullable Turn turn) {
        this.dataSource = dataSource;
        this.queue = queue;
        this.turn = new AtomicReference<>(turn);
    }

    static Admission of(EngineDataSource dataSource, @Nullable AccessQueue queue, AccessMode access, Duration timeout)
            throws SQLException {
        boolean write = access == AccessMode.WRITE;
        if (queue == null || (!write && !queue.isForReaders())) {
            return new Admission(dataSource, null, null);
        }
        StackReserve.check();
        try {
            HeldTurns.Turn turn = queue.enter(write, timeout, () -> false);
            if (turn == null) {
                throw new SQLTimeoutException(
                        queue.timeoutMessage(timeout) + "; make transactions shorter, or raise the timeout");
            }
            return new Admission(dataSource, queue, turn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for a turn on " + queue.database(), e);
        }
    }

    /**
     * Takes a connection from the engine's data source and {@link #lend}s it this turn. Opens a connection outside the pool if waiting
     * threads hold all connections of the pool.
     *
     * @return the connection; the caller closes it
     * @throws SQLException if no connection is available
     */
    public Connection connection() throws SQLException {
        Connection connection = turn.get() == null ? dataSource.getConnection() : dataSource.connectionInTurn();
        try {
            lend(connection);
            return connection;
        } catch (Throwable t) {
            connection.close();
            throw t;
        }
    }

    /**
     * Makes the transactions of a connection run in this turn. Does nothing for a connection of a caller's own {@link EngineFactory},
     * which has no queue.
     *
     * @param connection a connection of this engine without an open transaction or open rows; only one at a time
     * @throws SQLException if the connection is closed, or has a turn already
     */
    public void lend(Connection connection) throws SQLException {
        HeldTurns.Turn mine = turn.get();
        if (mine != null && connection.isWrapperFor(SqliteConnection.class)) {
            ConnectionTurn borrower = connection.unwrap(SqliteConnection.class).turn;
            borrower.lend(mine);
            user = borrower;
        }
    }

    /**
     * Ends the use of this turn by its connection, and keeps the turn. If the connection returns to its pool before
     * {@link #close}, the next thread with the turn can take that connection from the pool. Any thread may call this.
     */
    public void takeBack() {
        ConnectionTurn borrower = user;
        HeldTurns.Turn mine = turn.get();
        if (borrower != null && mine != null) {
            borrower.takeBack(mine);
        }
    }

    /** Gives the turn back. Any thread may call this; a second call does nothing. */
    @Override
    public void close() {
        takeBack();
        HeldTurns.Turn mine = turn.getAndSet(null);
        if (queue != null && mine != null) {
            queue.leave(mine);
        }
    }
}
