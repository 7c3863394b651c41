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
 * Runs work on a database in transactions. Each unit is committed as a whole or not at all.
 *
 * <pre>{@code
 * UnitOfWork work = UnitOfWork.on("sqlite:///:memory:");
 * work.run(tx -> tx.repository(Orders.class, Orders::new).add(order));
 * }</pre>
 *
 * <p>A call within an open unit of the same engine and thread joins that unit. If the call fails, all of the unit is rolled back, even if
 * the exception is swallowed. After a conflict with another transaction, the whole unit is retried, so its work must be safe to repeat. Put
 * other work into {@link Transaction#afterCommit}.
 *
 * <p>Immutable and thread-safe. Cheap to create: the first call gets the engine from its cache.
 */
public final class UnitOfWork {
    private final PreparedEngine engine;
    private final UnitSettings settings;

    private UnitOfWork(PreparedEngine engine, UnitSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * Returns units of work with default settings, on an engine of {@link EngineCache#shared}.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return new units of work
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL is invalid
     */
    public static UnitOfWork on(String url) {
        return builder(url).build();
    }

    /**
     * Returns units of work with default settings, on an engine.
     *
     * @param engine the engine
     * @return new units of work
     */
    public static UnitOfWork on(Engine engine) {
        return builder(engine).build();
    }

    /**
     * Returns a builder for units of work on a database.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return a new builder
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL is invalid
     */
    public static Builder builder(String url) {
        return new Builder(DatabaseUrl.parse(url), null);
    }

    /**
     * Returns a builder for units of work on an engine.
     *
     * @param engine the engine
     * @return a new builder
     */
    public static Builder builder(Engine engine) {
        return new Builder(null, Objects.requireNonNull(engine, "engine"));
    }

    /**
     * Runs work in a transaction. Commits if the work returns, and rolls back if it throws.
     *
     * @param action the work
     * @param <X> the exception of the action
     * @throws X if the action throws it
     * @throws RollbackOnlyException if a joined call, or on PostgreSQL a statement, failed and its exception was swallowed
     * @throws AfterCommitException if the unit was committed, but a hook failed
     * @throws TransactionException if the unit cannot begin or cannot be committed
     * @throws dev.oneengine.cache.EngineException if the engine cannot be created or prepared
     */
    public <X extends Exception> void run(TransactionAction<X> action) throws X {
        call(Transaction.withoutResult(action));
    }

    /**
     * Runs work in a transaction, like {@link #run}, and returns its result.
     *
     * @param function the work
     * @param <R> the type of the result
     * @param <X> the exception of the function
     * @return the result of the function
     * @throws X if the function throws it
     */
    public <R extends @Nullable Object, X extends Exception> R call(TransactionFunction<R, X> function) throws X {
        return runOrJoin(function, false);
    }

    /**
     * Runs work in a read-only transaction: the database rejects writes. Within a unit that writes, this holds until the call returns. A
     * database of kind {@link dev.oneengine.cache.DatabaseUrl.Kind#OTHER} may accept writes, but they are rolled back.
     *
     * @param function the work
     * @param <R> the type of the result
     * @param <X> the exception of the function
     * @return the result of the function
     * @throws X if the function throws it
     */
    public <R extends @Nullable Object, X extends Exception> R read(TransactionFunction<R, X> function) throws X {
        return runOrJoin(function, true);
    }

    private <R extends @Nullable Object, X extends Exception> R runOrJoin(
            TransactionFunction<R, X> function, boolean readOnly) throws X {
        Objects.requireNonNull(function, "function");
        Engine prepared = engine.get();
        Unit open = openUnit(prepared);
        return open == null
                ? RetryLoop.run(prepared, settings, function, readOnly)
                : JoinedCall.run(open, function, readOnly);
    }

    private static @Nullable Unit openUnit(Engine engine) {
        return (Unit) OpenUnits.find(engine); // a unit is the only UnitState
    }

    /**
     * Begins a transaction that the caller must end. {@link Transaction#commit} commits it, and {@link Transaction#close} rolls it back
     * unless it was committed.
     *
     * <pre>{@code
     * try (Transaction tx = work.begin()) {
     *     ...
     *     tx.commit();
     * }
     * }</pre>
     *
     * <p>The transaction is never retried. If it stays open for too long, {@link Builder#leakAfter} applies. If its thread dies, or the
     * transaction is garbage collected, it is rolled back and its hooks are dropped. Prefer {@link #run}.
     *
     * @return the transaction; within an open unit, a joined call of that unit
     * @throws TransactionException if the transaction cannot begin
     */
    public Transaction begin() {
        Engine prepared = engine.get();
        Unit open = openUnit(prepared);
        return open == null ? Transaction.ofNewUnit(Unit.open(prepared, settings, false)) : JoinedCall.open(open);
    }

    /**
     * Returns the engine of the units. Creates and prepares it if necessary.
     *
     * @return the engine; another one after it was closed
     * @throws dev.oneengine.cache.EngineException if the engine cannot be created or prepared
     */
    public Engine engine() {
        return engine.get();
    }

    @Override
    public String toString() {
        return "UnitOfWork[" + engine + "]";
    }

    /** Collects the settings of units of work. Not thread-safe. */
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
         * Sets the cache that the engine comes from; {@link EngineCache#shared} by default.
         *
         * @param cache the cache
         * @return this builder
         */
        public Builder cache(EngineCache cache) {
            this.cache = cache;
            return this;
        }

        /**
         * Sets the settings that the engine must have; by default any engine will do.
         *
         * @param settings the settings
         * @return this builder
         */
        public Builder settings(EngineSettings settings) {
            this.settings = settings;
            return this;
        }

        /**
         * Adds a preparation of the engine, such as a migration. Preparations run before the first unit, in the order of these calls.
         *
         * @param step the preparation, which runs once per engine
         * @return this builder
         */
        public Builder prepare(Preparation<?> step) {
            steps.add(Objects.requireNonNull(step, "step"));
            return this;
        }

        /**
         * Sets how a unit is retried after a conflict with another transaction; {@link RetryPolicy#defaults} by default.
         *
         * @param retry the policy
         * @return this builder
         */
        public Builder retry(RetryPolicy retry) {
            this.retry = retry;
            return this;
        }

        /**
         * Sets how long a unit may wait for its turn in the engine's queue; one minute by default.
         *
         * @param queueTimeout the longest wait
         * @return this builder
         */
        public Builder queueTimeout(Duration queueTimeout) {
            this.queueTimeout = queueTimeout;
            return this;
        }

        /**
         * Sets how long a transaction of {@link UnitOfWork#begin} may stay open; one minute by default. After that, a warning shows where
         * it was begun, and no call can join it: such work would never be committed. Its owner can go on.
         *
         * @param leakAfter the longest time, or zero for no limit
         * @return this builder
         */
        public Builder leakAfter(Duration leakAfter) {
            this.leakAfter = leakAfter;
            return this;
        }

        /**
         * Sets the isolation of units on PostgreSQL; {@link Isolation#SERIALIZABLE} by default.
         *
         * <p>Each unit sets it for its own transaction only, whatever {@link EngineSettings#isolation} says. A joined call has the
         * isolation of the open unit. A hot standby of PostgreSQL supports {@link Isolation#REPEATABLE_READ} at most. On SQLite, units are
         * always serialisable. On any other database, the unit sets the level for the session and restores it at its end.
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
         * Builds the units of work. Does not get the engine yet.
         *
         * @return new units of work
         * @throws IllegalArgumentException if settings contradict each other or are out of range; the message names them
         */
        public UnitOfWork build() {
            Durations.requireNotNegative("queueTimeout", queueTimeout);
            Durations.requireNotNegative("leakAfter", leakAfter);
            return new UnitOfWork(
                    preparedEngine(),
                    new UnitSettings(Objects.requireNonNull(retry, "retry"), queueTimeout, leakAfter, isolation));
        }

        private PreparedEngine preparedEngine() {
            if (url != null) {
                return PreparedEngine.of(cache == null ? EngineCache.shared() : cache, url, settings, steps);
            }
            Engine existing = Objects.requireNonNull(engine);
            if (cache != null || settings != null) {
                throw new IllegalArgumentException(
                        "The engine of " + existing.url() + " exists; set a cache or engine settings only for a URL");
            }
            return PreparedEngine.of(existing, steps);
        }
    }
}
