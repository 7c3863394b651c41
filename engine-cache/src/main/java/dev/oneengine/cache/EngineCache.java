package dev.oneengine.cache;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of a process, one per database: created once however many threads race for it, the same for everyone who
 * asks, alive until evicted or the cache is closed.
 *
 * <pre>{@code
 * try (EngineCache cache = EngineCache.create()) {
 *     Engine engine = cache.engine("sqlite:///:memory:");
 *     Connection connection = engine.dataSource().getConnection();
 * }
 * }</pre>
 *
 * <p>Thread-safe. A call that finds its engine takes no lock. A call for a database whose engine another thread is just
 * creating or closing waits for that, and for no other database's. Two caches never share an in-memory database.
 */
public final class EngineCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineCache.class);

    /** A database has few spellings; a caller that makes up new ones for ever must not fill the memory. */
    private static final int MOST_TEXTS = 64;

    private final EngineFactory factory;
    private final EngineSettings defaults;
    private final ConcurrentMap<DatabaseUrl, EngineHolder> holders = new ConcurrentHashMap<>();

    private final TextIndex texts = new TextIndex();
    private final CacheCounters counters = new CacheCounters();

    /** Set once. Whoever puts a holder into the map reads it after that, so close() sees the holder or it sees this. */
    private volatile boolean closed;

    private EngineCache(EngineFactory factory, EngineSettings defaults) {
        this.factory = factory;
        this.defaults = defaults;
    }

    /**
     * Makes a cache of pooled engines with default settings.
     *
     * @return a new, empty cache
     */
    public static EngineCache create() {
        return create(EngineFactory.pooled(), EngineSettings.defaults());
    }

    /**
     * Makes a cache.
     *
     * @param factory what creates the engines
     * @param defaults the settings of engines that are asked for without any
     * @return a new, empty cache
     */
    public static EngineCache create(EngineFactory factory, EngineSettings defaults) {
        return new EngineCache(factory, defaults);
    }

    /**
     * The cache of this process, for applications that want one database per URL throughout. It can be closed like any
     * other cache, and is then closed for everybody.
     *
     * @return always the same cache, of pooled engines with default settings
     */
    public static EngineCache shared() {
        return Shared.CACHE;
    }

    /**
     * Finds the engine of a database, whatever its settings, or creates it with this cache's default settings.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return the engine; it was not closed when the call began
     * @throws InvalidDatabaseUrlException if the URL cannot be read
     * @throws EngineCreationException if the engine cannot be created, by this thread or by the one that this one waited
     *     for; the next call tries again
     * @throws EngineSettingsException if the URL has parameters that differ from those of the engine that is there
     * @throws EngineClosedException if this cache is closed
     * @throws EngineException if creating the engine asks for itself, over whatever detours, or if the thread is
     *     interrupted while it waits
     */
    public Engine engine(String url) {
        Engine engine = url == null ? null : texts.find(url);
        return engine != null ? hit(engine) : find(DatabaseUrl.parse(url), null, url);
    }

    /**
     * Finds the engine of a database, or creates it with these settings.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @param settings the settings that the engine must have
     * @return the engine; it was not closed when the call began
     * @throws EngineSettingsException if the engine is there with other settings; the message names them
     * @see #engine(String)
     */
    public Engine engine(String url, EngineSettings settings) {
        Engine engine = url == null ? null : texts.find(url);
        return engine != null && engine.hasSettings(settings)
                ? hit(engine)
                : find(DatabaseUrl.parse(url), settings, url);
    }

    /**
     * Finds the engine of a database, whatever its settings, or creates it with this cache's default settings.
     *
     * @param url the database
     * @return the engine; it was not closed when the call began
     * @see #engine(String)
     */
    public Engine engine(DatabaseUrl url) {
        return find(url, null, null);
    }

    /**
     * Finds the engine of a database, or creates it with these settings.
     *
     * @param url the database
     * @param settings the settings that the engine must have
     * @return the engine; it was not closed when the call began
     * @see #engine(String, EngineSettings)
     */
    public Engine engine(DatabaseUrl url, EngineSettings settings) {
        return find(url, settings, null);
    }

    private Engine hit(Engine engine) {
        counters.hit();
        return engine;
    }

    private Engine find(DatabaseUrl url, @Nullable EngineSettings settings, @Nullable String text) {
        while (true) {
            EngineHolder holder = holders.get(url);
            if (holder == null) {
                EngineHolder mine = new EngineHolder(url);
                if (createEngine(mine, settings == null ? defaults : settings)) {
                    return remember(url, text, created(mine), mine);
                }
                continue;
            }
            boolean wait = !holder.creation().hasEnded();
            if (wait) {
                counters.waits.increment();
            }
            holder.creation().await();
            throwFailure(holder);
            Engine engine = holder.engineIfOpen();
            if (engine == null) {
                // Evicted meanwhile. Its database is free for another engine when it is closed, and not before.
                Flight<Boolean> closing = holder.closing();
                if (closing != null) {
                    closing.await();
                }
            } else if (closed) {
                throw cacheIsClosed(url);
            } else {
                engine.requireCompatible(url, settings);
                return remember(url, text, wait ? engine : hit(engine), holder);
            }
        }
    }

    private Engine remember(DatabaseUrl url, @Nullable String text, Engine engine, EngineHolder holder) {
        // A symbolic link may lead elsewhere when the text is next used.
        if (text != null && !url.isThroughLink()) {
            holder.addText(text, MOST_TEXTS, texts);
        }
        return engine;
    }

    /** Creates the engine of a holder, unless another thread does. */
    private boolean createEngine(EngineHolder holder, EngineSettings settings) {
        Flight<Optional<Engine>> creation = holder.creation();
        return creation.run(
                () -> holders.putIfAbsent(holder.url(), holder) == null, () -> open(holder, settings), () -> {
                    if (creation.failure() != null || creation.result().isEmpty()) {
                        holders.remove(holder.url(), holder);
                    }
                });
    }

    private Optional<Engine> open(EngineHolder holder, EngineSettings settings) throws Exception {
        if (closed) {
            return Optional.empty();
        }
        DatabaseUrl url = holder.url();
        Failures.log(() -> LOG.debug("Creating the engine for {}", url));
        EngineSource source = Objects.requireNonNull(factory.open(url, settings), "the EngineFactory returned null");
        Engine engine;
        try {
            engine = new Engine(url, settings, source, this::release);
        } catch (Throwable e) {
            new Failures(e).attempt(source::close);
            throw e;
        }
        if (holder.open(engine, counters.created)) {
            return Optional.of(engine);
        }
        engine.shutDown();
        return Optional.empty();
    }

    /** The engine that the current thread has created. */
    private Engine created(EngineHolder holder) {
        DatabaseUrl url = holder.url();
        try {
            throwFailure(holder);
        } catch (EngineCreationException e) {
            counters.failures.increment();
            Failures.log(() -> LOG.debug("Not created: {}", e.getMessage()));
            throw e;
        }
        Engine engine = holder.creation().result().orElseThrow(() -> cacheIsClosed(url));
        Failures.log(() -> LOG.debug("Created the engine for {}", url));
        return engine;
    }

    /** Throws the failure of a creation, if it has failed, as an exception of the current thread's own. */
    private static void throwFailure(EngineHolder holder) {
        Throwable failure = holder.creation().failure();
        if (failure != null) {
            List<String> secrets = holder.url().secrets();
            throw new EngineCreationException(
                    "Cannot create the engine for " + holder.url() + ": "
                            + Secrets.mask(Diagnosis.of(failure), secrets),
                    Secrets.mask(failure, secrets));
        }
    }

    /**
     * Closes the engine of a database and forgets it; the next call for the database creates another one, after this one
     * is closed. Whoever still uses the engine gets an exception. An in-memory database is gone with it.
     *
     * <p>An engine that is just being created is not there yet and is left alone.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return whether there was an engine and this call closed it
     * @throws EngineException if the engine could not be closed; it is forgotten all the same
     */
    public boolean evict(String url) {
        return evict(DatabaseUrl.parse(url));
    }

    /**
     * Closes the engine of a database and forgets it.
     *
     * @param url the database
     * @return whether there was an engine and this call closed it
     * @throws EngineException if the engine could not be closed; it is forgotten all the same
     * @see #evict(String)
     */
    public boolean evict(DatabaseUrl url) {
        EngineHolder holder = holders.get(url);
        return holder != null && !closed && evict(url, holder);
    }

    /** What {@link Engine#close} does. */
    private void release(Engine engine) {
        EngineHolder holder = holders.get(engine.url());
        if (holder != null && holder.isOf(engine)) {
            evict(engine.url(), holder);
        }
    }

    private boolean evict(DatabaseUrl url, EngineHolder holder) {
        boolean evicted = holder.close(true, texts, () -> holders.remove(url, holder));
        if (evicted) {
            counters.evictions.increment();
        }
        return evicted;
    }

    /**
     * Counts hits from now on, for {@link #stats}. Off by default, as counting makes each hit several times as expensive.
     *
     * @return this cache
     */
    public EngineCache countHits() {
        counters.countHits();
        return this;
    }

    /**
     * Returns what this cache has done so far. Hits are counted only after {@link #countHits}.
     *
     * @return the numbers of this moment
     */
    public EngineCacheStats stats() {
        return new EngineCacheStats(counters);
    }

    /**
     * Closes all engines, in the reverse order of their creation and for good: from now on every call for an engine is refused. An engine that is just being created
     * is closed by its creator as soon as it is there; this call does not wait for it. Closing a closed cache does nothing.
     *
     * @throws EngineException the first failure, with the others suppressed; all that could be closed is closed
     */
    @Override
    public void close() {
        // In this order: whoever has seen that the cache is closed finds no engine by its text either, and a hit need
        // not look.
        texts.clear();
        closed = true;
        Failures failures = new Failures();
        holders.values().stream()
                .map(holder -> Map.entry(
                        holder.number(), holder)) // a number may still change, which must not disturb the sorting
                .sorted(Map.Entry.<Long, EngineHolder>comparingByKey().reversed())
                .map(Map.Entry::getValue)
                .toList()
                .forEach(holder ->
                        failures.attempt(() -> holder.close(false, texts, () -> holders.remove(holder.url(), holder))));
        failures.<EngineException>rethrow();
    }

    private static EngineClosedException cacheIsClosed(DatabaseUrl url) {
        return new EngineClosedException(
                "The cache that was asked for " + url + " is closed; ask for engines before closing it");
    }

    @Override
    public String toString() {
        return "EngineCache" + holders.keySet() + (closed ? " (closed)" : "");
    }

    private static final class Shared {
        static final EngineCache CACHE = EngineCache.create();
    }
}
