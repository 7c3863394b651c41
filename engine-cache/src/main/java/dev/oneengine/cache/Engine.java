package dev.oneengine.cache;

import dev.oneengine.cache.DatabaseUrl.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database and its connections, the same for everybody in a cache who asks for the same database.
 *
 * <p>Thread-safe. An engine lives until it is evicted or its cache is closed; whoever uses it then gets an exception that
 * names the database.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final DatabaseUrl url;
    private final EngineSettings settings;
    private final EngineSource source;
    private final EngineDataSource dataSource;

    /** What writers of SQLite wait in; {@code null} where the server orders its clients. */
    private final @Nullable AccessQueue queue;

    private final Preparations preparations = new Preparations(this);
    private final Consumer<Engine> evict;

    /** Set before the source is closed, by the one thread that closes it; a late reader meets a closed source instead. */
    private volatile boolean closed;

    /**
     * Creates an open engine. If that fails, the source is still open.
     *
     * @param evict what {@link #close()} does: let the cache forget this engine and {@link #shutDown} it
     */
    Engine(DatabaseUrl url, EngineSettings settings, EngineSource source, Consumer<Engine> evict) {
        this.url = url;
        this.settings = settings;
        this.source = source;
        this.dataSource =
                new EngineDataSource(this, Objects.requireNonNull(source.dataSource(), "the DataSource is null"));
        this.queue = queue(url, settings, dataSource);
        this.evict = evict;
    }

    /** The queue of the connections. A caller's own connections have none, so the engine has one for {@link #enter}. */
    private static @Nullable AccessQueue queue(DatabaseUrl url, EngineSettings settings, EngineDataSource connections) {
        return connections.isDirect() || !url.kind().isSqlite()
                ? connections.queue()
                : new AccessQueue(url.toString(), url.kind() == Kind.SQLITE_MEMORY, settings.poolSize());
    }

    /**
     * Which database this is.
     *
     * @return the URL that the engine was created for
     */
    public DatabaseUrl url() {
        return url;
    }

    /**
     * How its connections are made and kept.
     *
     * @return the settings that the engine was created with
     */
    public EngineSettings settings() {
        return settings;
    }

    /** Returns whether this engine has these settings. Callers mostly pass the same object again, which costs nothing to see. */
    @SuppressWarnings("ReferenceEquality")
    boolean hasSettings(EngineSettings asked) {
        return settings == asked || settings.equals(asked);
    }

    /**
     * Where the connections come from: for JDBC and every tool that wants a {@link DataSource}, such as Jdbi, jOOQ,
     * Spring and Hibernate. {@code unwrap(HikariDataSource.class)} gives the pool behind it.
     *
     * @return always the same, thread-safe data source; it throws an {@link java.sql.SQLException} that names the
     *     database once the engine is closed
     * @throws EngineClosedException if the engine is closed
     */
    public DataSource dataSource() {
        if (closed) {
            throw new EngineClosedException(closedMessage(url));
        }
        return dataSource;
    }

    /**
     * Waits for a turn in the queue of this engine's database. The {@link #dataSource} does that by itself, with each
     * transaction; this is for tools that want their turn before they take a connection, or another limit than the busy timeout.
     *
     * <p>SQLite has one writer at a time, and in memory readers exclude the writer. Other databases and readers of files need no
     * turn, and get an admission at once.
     *
     * @param access what the transactions in this turn will do
     * @param timeout how long to wait at most
     * @return the turn, to be closed at the end
     * @throws java.sql.SQLTimeoutException if the turn did not come in time; the message says which thread has it
     * @throws SQLException if this thread would wait for ever, for itself or in a ring of threads, or was interrupted
     * @throws EngineClosedException if the engine is closed
     */
    public Admission enter(AccessMode access, Duration timeout) throws SQLException {
        if (closed) {
            throw new EngineClosedException(closedMessage(url));
        }
        return Admission.of(dataSource, queue, access, timeout);
    }

    /**
     * Does what the engine needs before it is used, exactly once however many threads ask: one does it, the others wait.
     *
     * @param step what to do, if a step of its name was not done before
     * @param <T> what the step finds out
     * @return what the step found out, whichever thread did it
     * @throws PreparationException if the step failed; the next call tries again
     * @throws EngineClosedException if the engine is closed
     * @throws EngineException if the step asks for itself, or the thread is interrupted while it waits
     */
    public <T> T prepare(Preparation<T> step) {
        if (closed) {
            throw new EngineClosedException(closedMessage(url));
        }
        return preparations.prepare(step);
    }

    /**
     * Whether a step is done, whoever asked for it.
     *
     * @param step the step; its name tells it from others
     * @return {@code false} also while it is being done
     */
    public boolean isPrepared(Preparation<?> step) {
        return preparations.isDone(step.name());
    }

    /**
     * Whether the engine is closed, or being closed.
     *
     * @return {@code true} from the moment on at which the closing of its connections begins
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes all connections and takes the engine out of its cache, so that the next call for this database makes a new
     * one. An in-memory database is gone with that. Closing a closed engine does nothing.
     *
     * @throws EngineException if the connections could not be closed
     */
    @Override
    public void close() {
        evict.accept(this);
    }

    /** Closes the connections, whatever fails meanwhile, and throws the first failure as it is; called once. */
    void shutDown() {
        closed = true;
        Failures.log(() -> LOG.debug("Closing the engine for {}", url));
        Failures failures = new Failures();
        if (queue != null) {
            failures.attempt(queue::close);
        }
        failures.attempt(source::close);
        failures.<RuntimeException>rethrow();
    }

    /**
     * Checks that this engine has the requested parameters and settings.
     *
     * @param requestedSettings {@code null} for any
     * @throws EngineSettingsException if one of them differs
     */
    void requireCompatible(DatabaseUrl requested, @Nullable EngineSettings requestedSettings) {
        List<String> differences = new ArrayList<>(url.differencesTo(requested));
        if (requestedSettings != null) {
            differences.addAll(settings.differencesTo(requestedSettings));
        }
        if (!differences.isEmpty()) {
            throw new EngineSettingsException(url, differences);
        }
    }

    static String closedMessage(DatabaseUrl url) {
        return "The engine for " + url + " was closed; ask the cache for a new one";
    }

    @Override
    public String toString() {
        return "Engine[" + url + (closed ? ", closed]" : "]");
    }
}
