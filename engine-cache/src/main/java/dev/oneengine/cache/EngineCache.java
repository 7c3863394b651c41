package dev.oneengine.cache;

import dev.oneengine.cache.internal.Throwables;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of a process, one for each database. However many threads race for an engine, the cache creates it once and returns the
 * same engine to all of them, until it is evicted or the cache is closed.
 *
 * <pre>{@code
 * try (EngineCache cache = EngineCache.create()) {
 *     Engine engine = cache.engine("sqlite:///:memory:");
 *     Connection connection = engine.dataSource().getConnection();
 * }
 * }</pre>
 *
 * <p>A call that finds an open engine takes no lock. Only a call with a new spelling of the URL takes one, for a few instructions. A call
 * waits only while another thread creates or closes the engine of the same database. Two caches never share a database in memory.
 *
 * <p>Thread-safe.
 */
public final class EngineCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineCache.class);

    /** The largest number of aliases of one engine: a caller that invents new spellings must not fill the memory. */
    private static final int MOST_ALIASES = 64;

    private final EngineFactory factory;
    private final EngineSettings defaults;
    private final ConcurrentMap<DatabaseUrl, EngineHolder> holders = new ConcurrentHashMap<>();
    private final AliasIndex aliases = new AliasIndex();
    private final CacheCounters counters = new CacheCounters();

    /**
     * Set once, before {@link #close} walks the map. A creator inserts its holder before it reads this flag, so either {@code close}
     * finds the holder or the creator sees the flag.
     */
    private volatile boolean closed;

    private EngineCache(EngineFactory factory, EngineSettings defaults) {
        this.factory = factory;
        this.defaults = defaults;
    }

    /** {@return a new, empty cache of pooled engines with default settings} */
    public static EngineCache create() {
        return create(EngineFactory.pooled(), EngineSettings.defaults());
    }

    /**
     * Creates a cache.
     *
     * @param factory the factory of its engines
     * @param defaults the settings for calls that pass none
     * @return a new, empty cache
     */
    public static EngineCache create(EngineFactory factory, EngineSettings defaults) {
        return new EngineCache(factory, defaults);
    }

    /**
     * Returns the cache of this process, for applications that need one database per URL throughout. Closing it closes it for all users.
     *
     * @return always the same cache, of pooled engines with default settings
     */
    public static EngineCache shared() {
        return Shared.CACHE;
    }

    /**
     * Returns the engine of a database, whatever its settings. Creates it with this cache's default settings if there is none.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} supports
     * @return the engine; it was open when the call began
     * @throws InvalidDatabaseUrlException if the URL is invalid
     * @throws EngineCreationException if the creation fails, in this thread or in the thread that this call waited for;
     *     the next call retries
     * @throws EngineSettingsException if the engine exists and a parameter of the URL differs
     * @throws EngineClosedException if this cache is closed
     * @throws EngineException if the creation of the engine needs the same engine, directly or through other threads, or the thread is
     *     interrupted while it waits
     */
    public Engine engine(String url) {
        Engine engine = url == null ? null : aliases.findInSlots(url);
        return engine != null ? engine : find(url, null);
    }

    /**
     * Returns the engine of a database. Creates it with these settings if there is none.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} supports
     * @param settings the settings that the engine must have
     * @return the engine; it was open when the call began
     * @throws EngineSettingsException if the engine exists with other settings; the message names them
     * @see #engine(String)
     */
    public Engine engine(String url, EngineSettings settings) {
        Engine engine = url == null ? null : aliases.findInSlots(url);
        return engine != null && engine.hasSettings(settings) ? engine : find(url, settings);
    }

    /**
     * Returns the engine of a database, whatever its settings. Creates it with this cache's default settings if there is none.
     *
     * @param url the database
     * @return the engine; it was open when the call began
     * @see #engine(String)
     */
    public Engine engine(DatabaseUrl url) {
        return find(url, null, null);
    }

    /**
     * Returns the engine of a database. Creates it with these settings if there is none.
     *
     * @param url the database
     * @param settings the settings that the engine must have
     * @return the engine; it was open when the call began
     * @see #engine(String, EngineSettings)
     */
    public Engine engine(DatabaseUrl url, EngineSettings settings) {
        return find(url, settings, null);
    }

    private Engine hit(Engine engine) {
        counters.hit();
        return engine;
    }

    private Engine find(String url, @Nullable EngineSettings settings) {
        Engine engine = url == null ? null : aliases.find(url);
        return engine != null && (settings == null || engine.hasSettings(settings))
                ? hit(engine)
                : find(DatabaseUrl.parse(url), settings, url);
    }

    private Engine find(DatabaseUrl url, @Nullable EngineSettings settings, @Nullable String alias) {
        while (true) {
            EngineHolder holder = holders.get(url);
            if (holder == null) {
                EngineHolder mine = new EngineHolder(url);
                if (createEngine(mine, settings == null ? defaults : settings)) {
                    return remember(url, alias, created(mine), mine);
                }
                continue;
            }
            boolean wait = !holder.creation.hasEnded();
            if (wait) {
                counters.waits.increment();
            }
            outcome(holder);
            Engine engine = holder.engineIfOpen();
            if (engine == null) {
                // Evicted meanwhile. The database needs another engine, but only after this one is closed.
                SingleFlight<Boolean> closing = holder.closing();
                if (closing != null) {
                    closing.await();
                }
            } else if (closed) {
                throw new EngineClosedException(EngineClosedException.ofCache(url));
            } else {
                engine.requireCompatible(url, settings);
                return remember(url, alias, wait ? engine : hit(engine), holder);
            }
        }
    }

    private Engine remember(DatabaseUrl url, @Nullable String alias, Engine engine, EngineHolder holder) {
        // A symbolic link may lead elsewhere at the next call.
        if (alias != null && !url.throughLink) {
            holder.addAlias(alias, MOST_ALIASES, aliases);
        }
        return engine;
    }

    /** Creates the engine of a holder, unless another thread does. */
    private boolean createEngine(EngineHolder holder, EngineSettings settings) {
        SingleFlight<Optional<Engine>> creation = holder.creation;
        return creation.run(() -> holders.putIfAbsent(holder.url, holder) == null, () -> open(holder, settings), () -> {
            if (creation.failure() != null || creation.result().isEmpty()) {
                holders.remove(holder.url, holder);
            }
        });
    }

    private Optional<Engine> open(EngineHolder holder, EngineSettings settings) throws Exception {
        if (closed) {
            return Optional.empty();
        }
        DatabaseUrl url = holder.url;
        debug("Creating the engine for {}", url);
        EngineSource source = Objects.requireNonNull(factory.open(url, settings), "the EngineFactory returned null");
        Engine engine;
        try {
            engine = new Engine(url, settings, source, this::release);
        } catch (Throwable e) {
            new FailureCollector(e).attempt(source::close);
            throw e;
        }
        if (holder.open(engine, counters.created)) {
            return Optional.of(engine);
        }
        engine.shutDown();
        return Optional.empty();
    }

    /** Returns the engine that the current thread has created. */
    private Engine created(EngineHolder holder) {
        DatabaseUrl url = holder.url;
        Optional<Engine> engine;
        try {
            engine = outcome(holder);
        } catch (EngineCreationException e) {
            counters.failures.increment();
            debug("{}", e.getMessage());
            throw e;
        }
        Engine created = engine.orElseThrow(() -> new EngineClosedException(EngineClosedException.ofCache(url)));
        debug("Created the engine for {}", url);
        return created;
    }

    private static void debug(String text, @Nullable Object value) {
        Throwables.log(() -> LOG.debug(text, value));
    }

    private static Optional<Engine> outcome(EngineHolder holder) {
        return holder.creation.outcome(failure -> new EngineCreationException(holder.url, failure));
    }

    /**
     * Closes the engine of a database and removes it from the cache. The next call for the database creates another engine, after this
     * one is closed. Using the closed engine throws an exception. A database in memory is deleted.
     *
     * <p>This call ignores an engine that another thread is creating.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} supports
     * @return whether there was an engine and this call closed it
     * @throws EngineException if closing the engine fails; it is removed anyway
     */
    public boolean evict(String url) {
        return evict(DatabaseUrl.parse(url));
    }

    /**
     * Closes the engine of a database and removes it from the cache.
     *
     * @param url the database
     * @return whether there was an engine and this call closed it
     * @throws EngineException if closing the engine fails; it is removed anyway
     * @see #evict(String)
     */
    public boolean evict(DatabaseUrl url) {
        EngineHolder holder = holders.get(url);
        return holder != null && !closed && evict(url, holder);
    }

    /** The action of {@link Engine#close}. */
    private void release(Engine engine) {
        EngineHolder holder = holders.get(engine.url());
        if (holder != null && holder.isOf(engine)) {
            evict(engine.url(), holder);
        }
    }

    private boolean evict(DatabaseUrl url, EngineHolder holder) {
        boolean evicted = holder.close(true, aliases, () -> holders.remove(url, holder));
        if (evicted) {
            counters.evictions.increment();
        }
        return evicted;
    }

    /**
     * Starts counting hits for {@link #stats}. Off by default: counting makes each hit several times as expensive.
     *
     * @return this cache
     */
    public EngineCache countHits() {
        counters.countHits();
        aliases.emptySlots(); // a hit there is not counted, because even checking a flag would slow it down
        return this;
    }

    /** {@return the counters of this cache at this moment} */
    public EngineCacheStats stats() {
        return new EngineCacheStats(counters);
    }

    /**
     * Closes this cache and all its engines, in reverse order of creation. From now on, every call for an engine throws an
     * {@link EngineClosedException}. This call does not wait for engines that other threads are creating; their creators close them.
     * Closing a closed cache does nothing.
     *
     * @throws EngineException the first failure, with the others suppressed; all other engines are closed
     */
    @Override
    public void close() {
        // Clears the aliases before it sets the flag, so that a thread that sees the flag finds no alias. A hit need
        // not check the flag.
        aliases.clear();
        closed = true;
        FailureCollector failures = new FailureCollector();
        holders.values().stream()
                .map(holder ->
                        Map.entry(holder.number(), holder)) // reads each number once, as it may change while sorting
                .sorted(Map.Entry.<Long, EngineHolder>comparingByKey().reversed())
                .map(Map.Entry::getValue)
                .toList()
                .forEach(holder ->
                        failures.attempt(() -> holder.close(false, aliases, () -> holders.remove(holder.url, holder))));
        failures.<EngineException>rethrow();
    }

    @Override
    public String toString() {
        return "EngineCache" + holders.keySet() + (closed ? " (closed)" : "");
    }

    private static final class Shared {
        static final EngineCache CACHE = EngineCache.create();
    }
}
