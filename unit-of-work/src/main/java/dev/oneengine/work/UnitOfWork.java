package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.cache.Preparation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a database in transactions: all of it or nothing.
 *
 * <pre>{@code
 * UnitOfWork work = UnitOfWork.on("sqlite:///:memory:");
 * work.run(tx -> tx.repository(Orders.class, Orders::new).add(order));
 * }</pre>
 *
 * <p>A call within an open unit of the same engine, in the same thread, joins that unit; if it fails, all of that is rolled
 * back, even if somebody swallows the failure. Conflicts with other transactions are met by trying the whole unit again, so
 * what runs in it must be fit to run more than once; {@link Transaction#afterCommit} is for what is not.
 *
 * <p>Immutable, thread-safe and cheap to make: the engine is taken from its cache when it is first needed.
 */
public final class UnitOfWork {
    private final Engines engines;
    private final UnitSettings settings;

    private UnitOfWork(Engines engines, UnitSettings settings) {
        this.engines = engines;
        this.settings = settings;
    }

    /**
     * Units of work on a database, on the engine of {@link EngineCache#shared}.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return units of work with default settings
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL cannot be read
     */
    public static UnitOfWork on(String url) {
        return builder(url).build();
    }

    /**
     * Units of work on an engine.
     *
     * @param engine the engine
     * @return units of work with default settings
     */
    public static UnitOfWork on(Engine engine) {
        return builder(engine).build();
    }

    /**
     * Begins to set up units of work on a database.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return a new builder, for one thread at a time
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL cannot be read
     */
    public static Builder builder(String url) {
        return new Builder(DatabaseUrl.parse(url), null);
    }

    /**
     * Begins to set up units of work on an engine.
     *
     * @param engine the engine
     * @return a new builder, for one thread at a time
     */
    public static Builder builder(Engine engine) {
        return new Builder(null, Objects.requireNonNull(engine, "engine"));
    }

    /**
     * Does some work in a transaction, which is committed if the work comes to its end and rolled back if it throws anything.
     *
     * @param action the work
     * @param <X> what the action throws
     * @throws X if the action does
     * @throws RollbackOnlyException if a joined call, or on PostgreSQL a statement, failed and its exception was swallowed
     * @throws AfterCommitException if it was committed, but a hook failed
     * @throws TransactionException if the unit could not begin or be committed
     * @throws dev.oneengine.cache.EngineException if there is no engine to be had
     */
    public <X extends Exception> void run(TransactionAction<X> action) throws X {
        call(Transaction.withoutResult(action));
    }

    /**
     * Like {@link #run}, with a result.
     *
     * @param function the work
     * @param <R> the result
     * @param <X> what the function throws
     * @return what the function returned
     * @throws X if the function does
     */
    public <R extends @Nullable Object, X extends Exception> R call(TransactionFunction<R, X> function) throws X {
        return runOrJoin(function, false);
    }

    /**
     * Like {@link #call}, but the database refuses to be changed. Within a unit that writes, that holds until this call returns.
     * A database of kind {@link dev.oneengine.cache.DatabaseUrl.Kind#OTHER} may accept changes, but they are rolled back.
     *
     * @param function the work
     * @param <R> the result
     * @param <X> what the function throws
     * @return what the function returned
     * @throws X if the function does
     */
    public <R extends @Nullable Object, X extends Exception> R read(TransactionFunction<R, X> function) throws X {
        return runOrJoin(function, true);
    }

    private <R extends @Nullable Object, X extends Exception> R runOrJoin(
            TransactionFunction<R, X> function, boolean readOnly) throws X {
        Objects.requireNonNull(function, "function");
        Engine engine = engines.get();
        Unit open = OpenUnits.on(engine);
        return open == null ? runAttempts(engine, settings, function, readOnly) : open.join(function, readOnly);
    }

    static <R extends @Nullable Object, X extends Exception> R runAttempts(
            Engine engine, UnitSettings settings, TransactionFunction<R, X> function, boolean readOnly) throws X {
        Attempts attempts = new Attempts(engine.url(), settings.retry());
        while (true) {
            Unit unit = null;
            R result;
            boolean committed;
            try {
                unit = Unit.begin(engine, settings, readOnly);
                result = runOnce(unit, function);
                committed = unit.complete();
            } catch (Throwable t) {
                if (unit != null) {
                    unit.rollback(t);
                }
                if (attempts.again(t)) {
                    continue;
                }
                if (unit != null) {
                    unit.runHooks(false, t);
                }
                throw t;
            }
            unit.runHooks(committed, null);
            return result;
        }
    }

    private static <R extends @Nullable Object, X extends Exception> R runOnce(
            Unit unit, TransactionFunction<R, X> function) throws X {
        Transaction transaction = new Transaction(unit, Transaction.Role.UNIT, unit.level());
        try {
            return transaction.apply(function);
        } finally {
            transaction.end();
        }
    }

    /**
     * Begins a transaction that the caller must end: commit it, and close it in any case, which rolls it back if it was not
     * committed.
     *
     * <pre>{@code
     * try (Transaction tx = work.begin()) {
     *     ...
     *     tx.commit();
     * }
     * }</pre>
     *
     * <p>It is never tried again, as nobody knows what was done with it. If it is left open, a warning says where it was begun,
     * and nothing can join it any more; see {@link Builder#leakAfter}. If its thread has died, or its transaction is garbage, it
     * is rolled back, and its hooks are dropped. Prefer {@link #run}.
     *
     * @return the transaction, for this thread; within an open unit, a part of that
     * @throws TransactionException if it could not begin
     */
    public Transaction begin() {
        Engine engine = engines.get();
        Unit open = OpenUnits.on(engine);
        Transaction transaction = open == null ? beginUnit(engine) : open.join();
        try {
            transaction.watch();
        } catch (Throwable t) {
            transaction.close();
            throw t;
        }
        return transaction;
    }

    private Transaction beginUnit(Engine engine) {
        Unit unit = Unit.begin(engine, settings, false);
        return new Transaction(unit, Transaction.Role.OPEN_UNIT, unit.level());
    }

    /**
     * The engine that the units run on, ready for them.
     *
     * @return the engine; another one once it was closed
     * @throws dev.oneengine.cache.EngineException if there is no engine to be had, or preparing it failed
     */
    public Engine engine() {
        return engines.get();
    }

    @Override
    public String toString() {
        return "UnitOfWork[" + engines + "]";
    }

    /** Collects settings; each has the default until it is set. For one thread at a time. */
    public static final class Builder {
        private final @Nullable DatabaseUrl url;
        private final @Nullable Engine engine;
        private @Nullable EngineCache cache;
        private @Nullable EngineSettings settings;
        private final List<Preparation<?>> steps = new ArrayList<>(1);
        private RetryPolicy retry = RetryPolicy.defaults();
        private Duration queueTimeout = Duration.ofMinutes(1);
        private Duration leakAfter = Duration.ofMinutes(1);
        private Isolation isolation = Isolation.SERIALIZABLE;

        private Builder(@Nullable DatabaseUrl url, @Nullable Engine engine) {
            this.url = url;
            this.engine = engine;
        }

        /**
         * Takes the engine from another cache than {@link EngineCache#shared}.
         *
         * @param cache where the engine comes from
         * @return this builder
         */
        public Builder cache(EngineCache cache) {
            this.cache = cache;
            return this;
        }

        /**
         * Asks for an engine with certain settings.
         *
         * @param settings what the engine must have
         * @return this builder
         */
        public Builder settings(EngineSettings settings) {
            this.settings = settings;
            return this;
        }

        /**
         * Lets the engine be prepared before the first unit, such as by a migration. Further calls add steps, which run in this
         * order.
         *
         * @param step what is done once per engine, however many units ask for it
         * @return this builder
         */
        public Builder prepare(Preparation<?> step) {
            steps.add(Objects.requireNonNull(step, "step"));
            return this;
        }

        /**
         * Sets what follows a conflict with another transaction.
         *
         * @param retry how often a unit is tried; {@link RetryPolicy#defaults} unless set
         * @return this builder
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = retry;
            return this;
        }

        /**
         * Limits the wait of a unit for those before it.
         *
         * @param queueTimeout how long it waits for its turn; a minute unless set
         * @return this builder
         */
        public Builder queueTimeout(Duration queueTimeout) {
            this.queueTimeout = queueTimeout;
            return this;
        }

        /**
         * Sets how long a transaction of {@link UnitOfWork#begin} may be open. After that, a warning says where it was begun,
         * and calls that would join it fail: what joins a forgotten transaction is never committed. Its owner can go on.
         *
         * @param leakAfter how long it may be open, zero for any time; a minute unless set
         * @return this builder
         */
        public Builder leakAfter(Duration leakAfter) {
            this.leakAfter = leakAfter;
            return this;
        }

        /**
         * Sets how much a unit sees of concurrent transactions on PostgreSQL; {@link Isolation#SERIALIZABLE} unless set.
         *
         * <p>Each unit sets it for its own transaction only, whatever {@link EngineSettings#isolation} says. Read-only and
         * independent units use it, too; a joined call has the isolation of the open unit. A serialisable unit can fail with a
         * conflict, which {@link UnitOfWork#run} retries and {@link UnitOfWork#begin} does not. A hot standby of PostgreSQL
         * supports {@link Isolation#REPEATABLE_READ} at most. On SQLite units are always serialisable, and this setting has no
         * effect. Another database gets the level from {@link java.sql.Connection#setTransactionIsolation}, which the unit
         * restores.
         *
         * @param isolation the isolation of each unit
         * @return this builder
         */
        public Builder isolation(Isolation isolation) {
            this.isolation = Objects.requireNonNull(
                    isolation, "The isolation of a unit of work must not be null; SERIALIZABLE is the default");
            return this;
        }

        /**
         * Makes the units of work. The engine is not looked for yet.
         *
         * @return what was set, and the defaults for the rest
         * @throws IllegalArgumentException if settings contradict each other; the message names them
         */
        public UnitOfWork build() {
            Durations.requireNotNegative("queueTimeout", queueTimeout);
            Durations.requireNotNegative("leakAfter", leakAfter);
            return new UnitOfWork(
                    engines(),
                    new UnitSettings(Objects.requireNonNull(retry, "retry"), queueTimeout, leakAfter, isolation));
        }

        private Engines engines() {
            if (url != null) {
                return Engines.of(cache == null ? EngineCache.shared() : cache, url, settings, steps);
            }
            Engine existing = Objects.requireNonNull(engine, "engine");
            if (cache != null || settings != null) {
                throw new IllegalArgumentException("The engine of " + existing.url()
                        + " is there already; set a cache or engine settings only for a URL");
            }
            return Engines.of(existing, steps);
        }
    }
}
