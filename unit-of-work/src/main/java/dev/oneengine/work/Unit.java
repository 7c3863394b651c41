package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.work.Traffic.Turn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction from its beginning to its end: its connection, its turn, its levels and whoever takes part in it. For the
 * thread that began it; what others may call says so.
 */
final class Unit {
    private static final Logger LOG = LoggerFactory.getLogger(Unit.class);

    /** The SQL states of a connection that broke. */
    private static final String CONNECTION_EXCEPTION = "08";

    /** The innermost open unit of a thread; the others are behind it. */
    private static final ThreadLocal<@Nullable Unit> INNERMOST = new ThreadLocal<>();

    private final Engine engine;
    private final UnitSettings settings;
    private final boolean readOnly;
    private final Thread owner = Thread.currentThread();
    private final Traffic traffic;
    private final Turn turn;
    private final Session session;
    private final Guard guard;
    private final Hooks hooks = new Hooks();
    private final List<Statement> statements = new ArrayList<>(2);
    private Level level = new Level(null, null, 0);
    private boolean restricted;
    private @Nullable Map<Class<?>, Object> repositories;
    private @Nullable Unit outer;

    /** Read by any thread, to say the right thing. */
    private volatile boolean ended;

    private Unit(Engine engine, UnitSettings settings, boolean readOnly, Traffic traffic, Turn turn, Session session) {
        this.engine = engine;
        this.settings = settings;
        this.readOnly = readOnly;
        this.restricted = readOnly;
        this.traffic = traffic;
        this.turn = turn;
        this.session = session;
        this.guard = new Guard(this, session.connection());
    }

    /** The innermost unit on an engine that this thread has begun and not ended. */
    static @Nullable Unit open(Engine engine) {
        Unit unit = INNERMOST.get();
        while (unit != null && unit.engine != engine) {
            unit = unit.outer;
        }
        return unit;
    }

    /** Begins a unit: waits for its turn, then for a connection. */
    static Unit begin(Engine engine, UnitSettings settings, boolean readOnly) {
        Traffic traffic = Traffic.of(engine);
        Turn turn = traffic.turnFor(readOnly);
        int held = refuseToWaitForItself(engine, traffic);
        traffic.enter(turn, settings.patience());
        try {
            Unit unit = new Unit(engine, settings, readOnly, traffic, turn, connect(engine, traffic, held));
            unit.start();
            return unit;
        } catch (SQLException e) {
            traffic.leave(turn);
            throw new TransactionException("Cannot begin a unit of work on " + engine.url() + ": " + e.getMessage(), e);
        } catch (Throwable t) {
            traffic.leave(turn);
            throw t;
        }
    }

    /** How many connections to the engine this thread holds already. */
    private static int refuseToWaitForItself(Engine engine, Traffic traffic) {
        int held = 0;
        for (Unit unit = INNERMOST.get(); unit != null; unit = unit.outer) {
            if (unit.engine == engine) {
                held++;
                if (unit.turn != Turn.NONE) {
                    throw new TransactionException(
                            "An independent unit of work on " + engine.url()
                                    + " would wait for ever for the one that is "
                                    + "open in this thread: " + traffic.whyNotIndependent()
                                    + "; do it before or after, or in an afterCommit hook",
                            null);
                }
            }
        }
        return held;
    }

    private static Session connect(Engine engine, Traffic traffic, int held) throws SQLException {
        if (held == 0) {
            return connect(engine);
        }
        traffic.beginWaiting(held);
        try {
            return connect(engine);
        } finally {
            traffic.endWaiting(held);
        }
    }

    private static Session connect(Engine engine) throws SQLException {
        Connection connection = engine.dataSource().getConnection();
        try {
            return Session.of(connection, engine.url().kind() != Kind.POSTGRESQL);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void start() throws SQLException {
        try {
            session.begin(readOnly);
        } catch (SQLException | RuntimeException e) {
            if (Conflicts.among(e)) {
                session.release(); // it waited for a lock in vain, and is as it was
            } else {
                session.discard(e);
            }
            throw e;
        }
        outer = INNERMOST.get();
        INNERMOST.set(this);
    }

    DatabaseUrl url() {
        return engine.url();
    }

    Engine engine() {
        return engine;
    }

    UnitSettings settings() {
        return settings;
    }

    Thread owner() {
        return owner;
    }

    Level level() {
        return level;
    }

    Guard guard() {
        return guard;
    }

    Hooks hooks() {
        return hooks;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether writes are refused at the moment. */
    boolean isRestricted() {
        return restricted;
    }

    boolean isSqlite() {
        return engine.url().kind() != Kind.POSTGRESQL;
    }

    /** Why the current thread may not use this unit now, or {@code null} if it may. */
    @Nullable String whyNot() {
        Thread thread = Thread.currentThread();
        if (thread != owner) {
            return "The unit of work on " + url() + " belongs to thread " + owner.getName() + " and cannot be used in "
                    + thread.getName() + "; begin one there";
        }
        return ended ? "The unit of work on " + url() + " has ended; use it only as long as it is open" : null;
    }

    <T, X extends Exception> T repository(Class<T> type, RepositoryFactory<? extends T, X> factory) throws X {
        if (repositories == null) {
            repositories = new HashMap<>();
        }
        Map<Class<?>, Object> known = repositories;
        Object repository = known.get(type);
        if (repository == null) {
            // Not in the map's own computing: a repository may ask for others while it is made.
            repository = Objects.requireNonNull(factory.create(guard.connection()), "The factory made no " + type);
            known.put(type, repository);
        }
        return type.cast(repository);
    }

    /** Statements are closed with the unit: left open they may keep the database from committing, or its locks. */
    void opened(Statement statement) {
        statements.add(statement);
    }

    void closed(Statement statement) {
        for (int i = statements.size() - 1; i >= 0; i--) {
            if (statements.get(i) == statement) {
                statements.remove(i);
                return;
            }
        }
    }

    /** After a failure of the driver: notices if the transaction is gone, and what came before it lost. */
    void failed(Throwable failure) {
        try {
            if (!session.isLost()) {
                return;
            }
        } catch (SQLException | RuntimeException e) {
            Attempts.suppress(failure, e);
        }
        for (Level doomed = level; doomed != null; doomed = doomed.outer()) {
            doomed.doom(failure);
        }
    }

    /** Runs a part that joins this unit. */
    <R extends @Nullable Object, X extends Exception> R join(TransactionFunction<R, X> function, boolean reading)
            throws X {
        refuseWriterAmongReaders(reading);
        Level joined = level;
        boolean restrict = reading && !restricted;
        Transaction transaction = new Transaction(this, Transaction.Role.JOINED);
        joined.partBegins();
        try {
            if (restrict) {
                restrict();
            }
            R result = function.apply(transaction);
            if (restrict) {
                unrestrict();
            }
            return result;
        } catch (Throwable t) {
            joined.doom(t);
            if (restrict && restricted) {
                unrestrictAfter(t);
            }
            throw t;
        } finally {
            joined.partEnds();
            transaction.end();
        }
    }

    /** Joins this unit until the transaction is committed or closed. */
    Transaction join() {
        refuseWriterAmongReaders(false);
        level.partBegins();
        return new Transaction(this, Transaction.Role.OPEN_PART);
    }

    private void refuseWriterAmongReaders(boolean reading) {
        if (restricted && !reading) {
            throw new TransactionException(
                    "The unit of work on " + url()
                            + " that is open in this thread only reads, so one that writes cannot"
                            + " join it; make the outer one run() or call()",
                    null);
        }
    }

    private void restrict() {
        try {
            session.restrict();
            restricted = true;
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " read-only: " + e.getMessage(), e);
        }
    }

    private void unrestrict() {
        restricted = false;
        try {
            session.unrestrict();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot let the unit of work on " + url() + " write again: " + e.getMessage(), e);
        }
    }

    private void unrestrictAfter(Throwable failure) {
        try {
            unrestrict();
        } catch (TransactionException e) {
            Attempts.suppress(failure, e);
        }
    }

    /** Runs a part that is rolled back to where it began if it fails, while the unit goes on. */
    <R extends @Nullable Object, X extends Exception> R nest(TransactionFunction<R, X> function) throws X {
        Level inner = new Level(level, setSavepoint(), hooks.size());
        level = inner;
        Transaction transaction = new Transaction(this, Transaction.Role.NESTED);
        R result;
        try {
            result = function.apply(transaction);
            refuseOpenParts();
        } catch (Throwable t) {
            if (!ended) {
                rollBackTo(inner, t);
            }
            throw t;
        } finally {
            transaction.end();
        }
        if (ended) {
            throw new TransactionException(
                    "The unit of work on " + url() + " was closed in its nested part, and with it rolled back", null);
        }
        Throwable failure = inner.failure();
        if (failure != null) {
            RollbackOnlyException e = rollbackOnly("The nested part of the unit of work", failure);
            rollBackTo(inner, e);
            throw e;
        }
        if (inner.isDoomed()) {
            rollBackTo(inner, null);
        } else {
            release(inner);
        }
        return result;
    }

    private Savepoint setSavepoint() {
        try {
            return session.connection().setSavepoint();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot begin a nested part of the unit of work on " + url() + ": " + e.getMessage(), e);
        }
    }

    private void release(Level inner) {
        level = Objects.requireNonNull(inner.outer());
        try {
            session.connection().releaseSavepoint(inner.savepoint());
        } catch (SQLException e) {
            level.doom(e);
            throw new TransactionException(
                    "Cannot end a nested part of the unit of work on " + url() + ": " + e.getMessage(), e);
        }
    }

    /** If going back fails, nobody knows what is there: then all of the unit will be rolled back. */
    private void rollBackTo(Level inner, @Nullable Throwable failure) {
        level = Objects.requireNonNull(inner.outer());
        hooks.rolledBackTo(inner.hooksBefore());
        try {
            session.connection().rollback(inner.savepoint());
            session.connection().releaseSavepoint(inner.savepoint());
        } catch (SQLException | RuntimeException e) {
            level.doom(failure == null ? e : failure);
            if (failure == null) {
                throw new TransactionException(
                        "Cannot roll back a nested part of the unit of work on " + url() + ": " + e.getMessage(), e);
            }
            Attempts.suppress(failure, e);
        }
    }

    private RollbackOnlyException rollbackOnly(String what, Throwable failure) {
        return new RollbackOnlyException(
                what + " on " + url() + " was rolled back, although it came to its end, because a part of it failed: "
                        + failure + "; let failures through, or do that part with nested()",
                failure);
    }

    private void refuseOpenParts() {
        if (level.hasOpenParts()) {
            level.doom(new TransactionException(
                    "A part of the unit of work on " + url() + " that was begun with begin() is still open; commit or"
                            + " close it before the whole ends",
                    null));
        }
    }

    /**
     * Ends the unit: commits it, unless it is to be rolled back.
     *
     * @return whether it was committed; if not, then because its owner asked for that
     * @throws TransactionException if it could not be committed; it is rolled back, or the message says what else
     */
    boolean complete() {
        refuseOpenParts();
        Throwable failure = level.failure();
        if (failure != null) {
            throw rollbackOnly("The unit of work", failure);
        }
        if (level.isDoomed()) {
            rollback(null);
            return false;
        }
        try {
            closeStatements();
            session.commit();
        } catch (SQLException e) {
            throw new TransactionException(commitFailure(e), e);
        }
        end(null);
        return true;
    }

    private String commitFailure(SQLException e) {
        String state = e.getSQLState();
        if (state != null && state.startsWith(CONNECTION_EXCEPTION)) {
            return "The connection broke while the unit of work on " + url() + " was being committed, so look there"
                    + " whether it was: " + e.getMessage();
        }
        return "Cannot commit the unit of work on " + url() + ", it was rolled back: " + e.getMessage();
    }

    /**
     * Rolls the unit back and ends it; does nothing if it has ended. Any thread may call this that knows the owner to be dead.
     *
     * @param failure why, or {@code null} if somebody wants it so; takes what else fails
     * @throws TransactionException if that fails, and there is no failure to take it; the connection is thrown away then,
     *     and the database rolls back
     */
    void rollback(@Nullable Throwable failure) {
        if (ended) {
            return;
        }
        Throwable trouble = null;
        try {
            session.rollback();
            closeStatements();
        } catch (SQLException | RuntimeException e) {
            trouble = e;
        }
        end(trouble);
        if (trouble != null) {
            TransactionException e = new TransactionException(
                    "Rolling back the unit of work on " + url() + " failed, so its connection was thrown away: "
                            + trouble.getMessage(),
                    trouble);
            if (failure == null) {
                throw e;
            }
            Attempts.suppress(failure, e);
        }
    }

    private void closeStatements() throws SQLException {
        // From the last to the first, as try-with-resources would.
        for (int i = statements.size() - 1; i >= 0; i--) {
            statements.remove(i).close();
        }
    }

    /** Runs the hooks after the end; the failure, if there is one, takes what fails in them. */
    void runHooks(boolean committed, @Nullable Throwable failure) {
        Throwable trouble = hooks.run(committed);
        if (trouble == null) {
            return;
        }
        if (failure != null) {
            Attempts.suppress(failure, trouble);
        } else if (committed) {
            throw new AfterCommitException(
                    "The unit of work on " + url() + " was committed, but a hook after that failed: " + trouble,
                    trouble);
        } else {
            throw new TransactionException(
                    "The unit of work on " + url() + " was rolled back as asked, but a hook after that failed: "
                            + trouble,
                    trouble);
        }
    }

    /** Lets go of everything: the connection, if nothing is wrong with it back to the pool, and the turn. */
    private void end(@Nullable Throwable trouble) {
        ended = true;
        Throwable reason = trouble;
        if (reason == null) {
            try {
                session.restore(readOnly);
                session.release();
            } catch (SQLException | RuntimeException e) {
                reason = e;
            }
        }
        if (reason != null) {
            LOG.debug("A connection to {} is thrown away", url(), reason);
            session.discard(reason);
        }
        traffic.leave(turn);
        unlink();
    }

    private void unlink() {
        Unit unit = INNERMOST.get();
        if (unit == this) {
            INNERMOST.set(outer);
            return;
        }
        // Transactions that were begun by hand may end in any order.
        while (unit != null && unit.outer != this) {
            unit = unit.outer;
        }
        if (unit != null) {
            unit.outer = outer;
        }
    }
}
