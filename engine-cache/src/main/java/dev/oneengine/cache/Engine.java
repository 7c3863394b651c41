package dev.oneengine.cache;

import dev.oneengine.cache.internal.Throwables;
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
 * One database and its connections. A cache returns the same engine to all callers.
 *
 * <p>An engine lives until it is evicted or its cache is closed. After that, using the engine throws an exception that names the database.
 *
 * <p>Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final DatabaseUrl url;
    private final EngineSettings settings;
    private final EngineSource source;
    private final EngineDataSource dataSource;

    /** The queue of SQLite's writers; {@code null} for a server, which orders its clients itself. */
    private final @Nullable AccessQueue queue;

    private final Preparations preparations;
    private final Consumer<Engine> evict;

    private volatile EngineSettings lastEqualSettings;

    /** Set before the source is closed, by the one thread that closes it. A late reader finds the source closed. */
    private volatile boolean closed;

    /**
     * Creates an open engine. If that fails, the source stays open.
     *
     * @param evict the action of {@link #close()}: removes this engine from the cache and calls {@link #shutDown}
     */
    Engine(DatabaseUrl url, EngineSettings settings, EngineSource source, Consumer<Engine> evict) {
        this.url = url;
        this.settings = settings;
        this.lastEqualSettings = settings;
        this.source = source;
        DataSource connections = Objects.requireNonNull(source.dataSource(), "the DataSource is null");
        this.dataSource = new EngineDataSource(url, connections, this::isClosed);
        // The connections of a caller's own factory have no queue, so enter() needs one.
        DriverDataSource driver = dataSource.driver;
        this.queue = driver == null ? AccessQueue.of(url, settings) : driver.queue;
        this.preparations = new Preparations(url);
        this.evict = evict;
    }

    /** {@return the URL that the engine was created for} */
    public DatabaseUrl url() {
        return url;
    }

    /** {@return the settings that the engine was created with} */
    public EngineSettings settings() {
        return settings;
    }

    /** Returns whether this engine has these settings. Most callers pass the same object each time, which is compared once. */
    @SuppressWarnings("ReferenceEquality")
    boolean hasSettings(EngineSettings requested) {
        if (lastEqualSettings != requested) {
            if (!settings.equals(requested)) {
                return false;
            }
            lastEqualSettings = requested;
        }
        return true;
    }

    /**
     * Returns the connections, for JDBC and all tools that take a {@link DataSource}, such as Jdbi, jOOQ, Spring and Hibernate. Its
     * {@code unwrap(HikariDataSource.class)} returns the pool.
     *
     * @return always the same, thread-safe data source; after the engine is closed, it throws an {@link SQLException} that names the
     *     database
     * @throws EngineClosedException if the engine is closed
     */
    public DataSource dataSource() {
        requireOpen();
        return dataSource;
    }

    /**
     * Waits for a turn in the queue of this database. The {@link #dataSource} takes its turns by itself, one for each transaction. This
     * method is for tools that need a turn before a connection, or a timeout other than the busy timeout.
     *
     * <p>SQLite has one writer at a time, and in memory readers exclude the writer. Readers of files, and other databases, need no turn
     * and get an admission at once.
     *
     * @param access the access of the transactions in this turn
     * @param timeout the longest wait
     * @return the turn, to be closed at the end
     * @throws java.sql.SQLTimeoutException if the wait times out; the message names the thread that has the turn
     * @throws SQLException if the wait would never end because of a deadlock, or the thread is interrupted
     * @throws EngineClosedException if the engine is closed
     */
    public Admission enter(AccessMode access, Duration timeout) throws SQLException {
        requireOpen();
        return Admission.of(dataSource, queue, access, timeout);
    }

    /**
     * Runs a one-time setup of this engine. However many threads call this, one thread runs the step and the others wait for it.
     *
     * @param step the step, unless a step with its name has already run
     * @param <T> the type of the result
     * @return the result of the step, whichever thread ran it
     * @throws PreparationException if the step failed; the next call retries
     * @throws EngineClosedException if the engine is closed
     * @throws EngineException if the step needs itself, or the thread is interrupted while it waits
     */
    public <T> T prepare(Preparation<T> step) {
        requireOpen();
        return preparations.run(step.name(), () -> step.prepare(this));
    }

    /**
     * Returns whether a step has run successfully.
     *
     * @param step the step, identified by its name
     * @return {@code false} also while the step runs
     */
    public boolean isPrepared(Preparation<?> step) {
        return preparations.isDone(step.name());
    }

    /** {@return whether the engine is closed, or another thread is closing it} */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes all connections and removes the engine from its cache. The next call for this database creates another engine. A database
     * in memory is deleted. Closing a closed engine does nothing.
     *
     * @throws EngineException if the connections cannot be closed
     */
    @Override
    public void close() {
        evict.accept(this);
    }

    /** Closes the connections, whatever fails, and throws the first failure unchanged. Called once. */
    void shutDown() {
        closed = true;
        Throwables.log(() -> LOG.debug("Closing the engine for {}", url));
        FailureCollector failures = new FailureCollector();
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

    private void requireOpen() {
        if (closed) {
            throw new EngineClosedException(EngineClosedException.ofEngine(url));
        }
    }

    @Override
    public String toString() {
        return "Engine[" + url + (closed ? ", closed]" : "]");
    }
}
