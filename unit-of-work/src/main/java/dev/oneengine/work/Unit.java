package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transaction from its beginning to its end: its connection, its turn, its levels and whoever takes part in it. For the
 * thread that began it; what others may call says so.
 */
final class Unit {
    /** The SQL states of a connection that broke, and of one that an administrator or a crash has ended. */
    private static final List<String> BROKEN = List.of("08", "57P");

    private final Engine engine;
    private final UnitSettings settings;
    private final Thread owner = Thread.currentThread();
    private final Lease lease;
    private final Guard guard;
    private final Hooks hooks = new Hooks();
    private Level level = new Level(null, null, 0);

    /** Whether writes are refused at the moment. */
    private boolean restricted;

    private @Nullable Map<Class<?>, Object> repositories;

    /** The transaction of whoever began the unit by hand, and what watches it; {@code null} for the unit of a function. */
    private @Nullable WeakReference<Transaction> manual;

    private @Nullable LeakWatch manualWatch;

    /** Of those who began the unit or a part of it by hand, and have not ended it. */
    private final Set<LeakWatch> watches = Collections.newSetFromMap(new IdentityHashMap<>(2));

    /** The one that was open before in this thread, on whatever engine; for {@link OpenUnits}. */
    private @Nullable Unit outer;

    /** Read by any thread, to say the right thing. */
    private volatile boolean ended;

    private Unit(Engine engine, UnitSettings settings, boolean readOnly, Lease lease) {
        this.engine = engine;
        this.settings = settings;
        this.restricted = readOnly;
        this.lease = lease;
        this.guard = new Guard(this, lease.connection());
    }

    /** Begins a unit: waits for its turn, then for a connection. */
    static Unit begin(Engine engine, UnitSettings settings, boolean readOnly) {
        try {
            return link(engine, settings, readOnly, Lease.take(engine, settings, readOnly));
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot begin a unit of work on " + engine.url() + ": " + Throwables.message(e), e);
        }
    }

    private static Unit link(Engine engine, UnitSettings settings, boolean readOnly, Lease lease) {
        try {
            Unit unit = new Unit(engine, settings, readOnly, lease);
            OpenUnits.add(unit);
            return unit;
        } catch (Throwable t) { // such as too deep a stack
            lease.rollback();
            throw t;
        }
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
        return engine.url().kind().isSqlite();
    }

    @Nullable Unit outer() {
        return outer;
    }

    void setOuter(@Nullable Unit unit) {
        outer = unit;
    }

    Set<LeakWatch> watches() {
        return watches;
    }

    Lease lease() {
        return lease;
    }

    /** Notes by whom the unit must be ended. */
    void setManual(Transaction transaction, @Nullable LeakWatch watch) {
        manual = new WeakReference<>(transaction);
        manualWatch = watch;
    }

    /**
     * Rolls the unit back if nobody can ever commit it, because its transaction is garbage, and nobody is in a part of it. What
     * would join it would be lost.
     *
     * @return whether it was rolled back
     */
    boolean rollBackIfAbandoned() {
        if (manual == null || !manual.refersTo(null) || level.outer() != null || level.hasOpenParts()) {
            return false;
        }
        LeakWatch.rollBackDropped(this, manualWatch == null ? new Throwable("It was found here") : manualWatch.place());
        return true;
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

    /** After a failure of the driver: notices if the database has rolled the transaction back, and what came before it is lost. */
    void failed(Throwable failure) {
        lease.session().failed(failure);
        if (Session.hasEnded(failure)) {
            doomAll(failure);
        }
    }

    /** After a call of a participant that succeeded. */
    void succeeded() {
        lease.session().succeeded();
    }

    /** Returns the failure that made the database abort the transaction, or the nested part of it, or {@code null}. */
    @Nullable Throwable abortion() {
        return lease.session().abortion();
    }

    /** After a failure that is none of the database's: nobody knows what the driver has left undone. */
    void broken(Throwable failure) {
        lease.breakOff(failure);
        doomAll(failure);
    }

    private void doomAll(Throwable failure) {
        for (Level doomed = level; doomed != null; doomed = doomed.outer()) {
            doomed.doom(failure);
        }
    }

    /** Runs a part that joins this unit. */
    <R extends @Nullable Object, X extends Exception> R join(TransactionFunction<R, X> function, boolean reading)
            throws X {
        refuseWriterAmongReaders(reading);
        refuseToJoinOverdue();
        Level joined = level;
        boolean restrict = reading && !restricted;
        Transaction transaction = new Transaction(this, Transaction.Role.JOINED, joined);
        joined.partBegins();
        try {
            if (restrict) {
                restrict();
            }
            R result = transaction.apply(function);
            refuseToGoOnEnded();
            if (restrict) {
                unrestrict();
            }
            return result;
        } catch (Throwable t) {
            joined.doom(t);
            if (restrict && restricted && !ended) {
                unrestrictAfter(t);
            }
            throw t;
        } finally {
            joined.partEnds();
            transaction.end();
        }
    }

    /** Whoever called begin() may have closed the unit within a part of it. */
    private void refuseToGoOnEnded() {
        if (ended) {
            throw new TransactionException(
                    "The unit of work on " + url() + " was closed in a part of it, and with it rolled back", null);
        }
    }

    /** What a thread of a pool has left open, the next user of the thread would join, and never commit. */
    private void refuseToJoinOverdue() {
        if (manualWatch != null && manualWatch.isOverdue()) {
            throw new TransactionException(
                    "Cannot join the unit of work on " + url() + " that is open in thread " + owner.getName()
                            + " for more than " + settings.leakAfter() + ", as what joins a forgotten unit is never"
                            + " committed. It was begun at " + manualWatch.line()
                            + ": commit or close it there, or raise leakAfter",
                    manualWatch.place());
        }
    }

    /** Joins this unit until the transaction is committed or closed. */
    Transaction join() {
        refuseWriterAmongReaders(false);
        refuseToJoinOverdue();
        Transaction transaction = new Transaction(this, Transaction.Role.OPEN_PART, level);
        level.partBegins();
        return transaction;
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
            lease.session().restrict();
            restricted = true;
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot make the unit of work on " + url() + " read-only: " + Throwables.message(e), e);
        }
    }

    private void unrestrict() {
        restricted = false;
        try {
            lease.session().unrestrict();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot let the unit of work on " + url() + " write again: " + Throwables.message(e), e);
        }
    }

    private void unrestrictAfter(Throwable failure) {
        try {
            unrestrict();
        } catch (Throwable t) {
            Throwables.suppress(failure, t);
        }
    }

    /** Runs a part that is rolled back to where it began if it fails, while the unit goes on. */
    <R extends @Nullable Object, X extends Exception> R nest(TransactionFunction<R, X> function) throws X {
        Level inner = new Level(level, setSavepoint(), hooks.size());
        Transaction transaction = new Transaction(this, Transaction.Role.NESTED, inner);
        R result;
        try {
            level = inner;
            result = transaction.apply(function);
            refuseToGoOnEnded();
            refuseOpenParts();
            throwIfDoomed("The nested part of the unit of work", inner);
        } catch (Throwable t) {
            if (!ended) {
                rollBackTo(inner, t);
            }
            throw t;
        } finally {
            transaction.end();
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
            return lease.session().setSavepoint();
        } catch (SQLException e) {
            throw new TransactionException(
                    "Cannot begin a nested part of the unit of work on " + url() + ": " + Throwables.message(e), e);
        } catch (RuntimeException | Error e) {
            broken(e);
            throw e;
        }
    }

    private void release(Level inner) {
        try {
            lease.session().releaseSavepoint(Objects.requireNonNull(inner.savepoint()));
            level = Objects.requireNonNull(inner.outer());
        } catch (SQLException e) {
            TransactionException failure = new TransactionException(
                    "Cannot end a nested part of the unit of work on " + url() + ", it was rolled back: "
                            + Throwables.message(e),
                    e);
            rollBackTo(inner, failure);
            throw failure;
        } catch (RuntimeException | Error e) {
            level = Objects.requireNonNull(inner.outer());
            broken(e);
            throw e;
        }
    }

    /** If going back fails, nobody knows what is there: then all of the unit will be rolled back. */
    private void rollBackTo(Level inner, @Nullable Throwable failure) {
        level = Objects.requireNonNull(inner.outer());
        hooks.rolledBackTo(inner.hooksBefore());
        lease.rolledBack(inner);
        try {
            lease.session().rollBackTo(Objects.requireNonNull(inner.savepoint()));
        } catch (Throwable t) {
            doomAll(failure == null ? t : failure);
            if (!(t instanceof SQLException)) {
                lease.breakOff(t);
            }
            if (failure == null) {
                throw new TransactionException(
                        "Cannot roll back a nested part of the unit of work on " + url() + ": " + Throwables.message(t),
                        t);
            }
            Throwables.suppress(failure, t);
        }
    }

    /** Fails if a level that came to its end must be rolled back although nobody has asked for that. */
    private void throwIfDoomed(String what, Level ending) {
        Throwable failure = ending.failure();
        String why = "a part of it failed: ";
        if (!ending.isDoomed()) {
            failure = abortion();
            why = "PostgreSQL aborts a transaction in which a statement fails: ";
        }
        if (failure != null) {
            throw new RollbackOnlyException(
                    what + " on " + url() + " came to its end, but it was rolled back, because " + why
                            + Throwables.describe(failure)
                            + "; let failures through, or do that part with nested()",
                    failure);
        }
    }

    private void refuseOpenParts() {
        if (level.hasOpenParts()) {
            level.doom(new TransactionException(
                    "A part of the unit of work on " + url()
                            + " is not over yet; commit or close what was begun with begin(), and end the whole outside"
                            + " of its parts",
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
        throwIfDoomed("The unit of work", level);
        if (level.isDoomed()) {
            rollback(null);
            return false;
        }
        try {
            lease.commit();
        } catch (SQLException e) {
            throw new TransactionException(commitFailure(e), e);
        }
        end();
        return true;
    }

    private String commitFailure(SQLException e) {
        String state = Throwables.ask(e::getSQLState);
        if (state != null && BROKEN.stream().anyMatch(state::startsWith)) {
            return "The connection broke while the unit of work on " + url() + " was being committed, so look there"
                    + " whether it was: " + Throwables.message(e);
        }
        return "Cannot commit the unit of work on " + url() + ", it was rolled back: " + Throwables.message(e);
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
        Throwable trouble;
        try {
            trouble = lease.rollback();
        } finally {
            end();
        }
        if (trouble != null) {
            TransactionException e = new TransactionException(
                    "Rolling back the unit of work on " + url() + " failed, so its connection was thrown away: "
                            + Throwables.message(trouble),
                    trouble);
            if (failure == null) {
                throw e;
            }
            Throwables.suppress(failure, e);
        }
    }

    /** Runs the hooks after the end; the failure, if there is one, takes what fails in them. */
    void runHooks(boolean committed, @Nullable Throwable failure) {
        Throwable trouble = hooks.run(committed);
        if (trouble == null) {
            return;
        }
        if (failure != null) {
            Throwables.suppress(failure, trouble);
        } else if (committed) {
            throw new AfterCommitException(
                    "The unit of work on " + url() + " was committed, but a hook after that failed: "
                            + Throwables.describe(trouble),
                    trouble);
        } else {
            throw new TransactionException(
                    "The unit of work on " + url() + " was rolled back as asked, but a hook after that failed: "
                            + Throwables.describe(trouble),
                    trouble);
        }
    }

    private void end() {
        ended = true;
        watches.forEach(LeakWatch::stop);
        OpenUnits.remove(this);
    }
}
