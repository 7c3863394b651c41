package dev.oneengine.work;

import dev.oneengine.cache.AccessMode;
import dev.oneengine.cache.Admission;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineSettings.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a unit of work holds while it is open: its turn, its connection with a transaction, and the statements on that. However
 * it ends, all of it is given back. For one thread.
 */
final class Lease {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

    private final Admission admission;
    private final Session session;
    private final List<AutoCloseable> statements = new ArrayList<>(2);

    /** What the connection broke with: from then on nothing that it says or does can be relied on. */
    private @Nullable Throwable broken;

    /** From then on the connection is somebody else's. */
    private boolean over;

    private Lease(Admission admission, Session session) {
        this.admission = admission;
        this.session = session;
    }

    /**
     * Waits for a turn, then takes a connection, and begins a transaction.
     *
     * @throws SQLException if there is no turn or connection to be had, or the transaction cannot begin
     */
    static Lease take(Engine engine, UnitSettings settings, boolean readOnly) throws SQLException {
        Admission admission = engine.enter(readOnly ? AccessMode.READ : AccessMode.WRITE, settings.queueTimeout());
        try {
            return new Lease(admission, connect(admission, engine.url().kind(), settings.isolation(), readOnly));
        } catch (Throwable t) {
            admission.close();
            throw t;
        }
    }

    private static Session connect(Admission admission, Kind kind, Isolation isolation, boolean readOnly)
            throws SQLException {
        Connection connection = admission.connection();
        try {
            Session session = new Session(connection, kind, isolation);
            session.begin(readOnly);
            return session;
        } catch (Throwable t) {
            if (Conflicts.among(t)) {
                admission.close();
                release(connection, t); // its wait for a lock timed out, and its state is unchanged
            } else {
                Session.discard(connection, t);
            }
            throw t;
        }
    }

    private static void release(Connection connection, Throwable reason) {
        try {
            connection.close();
        } catch (Throwable t) {
            Throwables.suppress(reason, t);
            Session.discard(connection, reason);
        }
    }

    Session session() {
        return session;
    }

    Connection connection() {
        return session.connection();
    }

    /**
     * Statements are closed at the end, and rows with a hidden statement: left open they keep the database from committing, or
     * the connection at what the database was. Streams are closed before a commit, as they may keep the last of what was written.
     */
    void opened(AutoCloseable statement) {
        statements.add(statement);
    }

    void closed(AutoCloseable statement) {
        for (int i = statements.size() - 1; i >= 0; i--) {
            if (statements.get(i) == statement) {
                statements.remove(i);
                return;
            }
        }
    }

    /** Drops the streams of a part that was rolled back, as what they write to is gone. */
    void rolledBack(Level part) {
        statements.removeIf(opened -> opened instanceof Streams.Pending stream && isWithin(stream.level(), part));
    }

    private static boolean isWithin(Level inner, Level part) {
        Level level = inner;
        while (level != null && level != part) {
            level = level.outer();
        }
        return level != null;
    }

    private void closeStatements() throws SQLException {
        // From the last to the first, as try-with-resources would.
        for (int i = statements.size() - 1; i >= 0; i--) {
            close(statements.remove(i));
        }
    }

    private static void close(AutoCloseable opened) throws SQLException {
        try {
            opened.close();
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException("The end of a stream cannot be written: " + e.getMessage(), e);
        }
    }

    /** Lets the connection end unused, as a driver that was torn out of its work may not know where it was. */
    void breakOff(Throwable reason) {
        broken = reason;
    }

    /**
     * Commits, and if that succeeds gives everything back.
     *
     * @throws SQLException if it fails; to be rolled back
     */
    void commit() throws SQLException {
        try {
            session.cancelWhatRuns();
            closeStatements();
            session.commit();
        } catch (RuntimeException | Error e) {
            breakOff(e);
            throw e;
        }
        giveBack(null);
    }

    /**
     * Rolls back, and gives everything back, unless that was done. A broken connection is thrown away, which has the same effect.
     *
     * @return what made the roll-back fail
     */
    @Nullable Throwable rollback() {
        if (over) {
            return null;
        }
        Throwable trouble = null;
        if (broken == null) {
            try {
                session.rollback();
                statements.removeIf(Streams.Pending.class::isInstance); // it would write
                closeStatements();
            } catch (Throwable t) {
                trouble = t;
                breakOff(t);
            }
        }
        giveBack(broken);
        return trouble;
    }

    /** The connection goes back to the pool only if it is what it was. */
    private void giveBack(@Nullable Throwable unfit) {
        over = true;
        Throwable reason = unfit;
        try {
            if (reason == null) {
                try {
                    session.restore();
                    admission.takeBack(); // before the connection can be another thread's, and that comes before its
                    // turn
                    connection().close();
                } catch (Throwable t) {
                    reason = t;
                }
            }
            if (reason != null) {
                Throwable why = reason;
                Throwables.log(() -> LOG.debug("A connection is thrown away", why));
                Session.discard(connection(), why);
            }
        } finally {
            admission.close();
        }
    }
}
