package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import dev.oneengine.cache.PreparationException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Migrates a database with Flyway, each script once for all threads and processes.
 *
 * <pre>{@code
 * MigrationRunner.on("jdbc:sqlite:app.db").locations("classpath:db/migration").migrate();
 * }</pre>
 *
 * <p>Immutable and thread-safe. Each setting returns another runner. A runner costs little: it takes its engine from the cache only
 * when it needs one.
 */
public final class MigrationRunner {
    private final DatabaseUrl url;
    private final @Nullable Engine engine;
    private final @Nullable EngineCache cache;
    private final @Nullable EngineSettings engineSettings;
    private final RunnerSettings settings;
    private final Scripts scripts;

    private MigrationRunner(
            DatabaseUrl url,
            @Nullable Engine engine,
            @Nullable EngineCache cache,
            @Nullable EngineSettings engineSettings,
            RunnerSettings settings) {
        this.url = url;
        this.engine = engine;
        this.cache = cache;
        this.engineSettings = engineSettings;
        this.settings = settings;
        this.scripts = new Scripts(settings, url);
    }

    /**
     * Creates a runner for a database. It uses the engine of {@link EngineCache#shared} and Flyway's default location,
     * {@code classpath:db/migration}.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return a runner with default settings
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL is invalid
     */
    public static MigrationRunner on(String url) {
        return new MigrationRunner(DatabaseUrl.parse(url), null, null, null, RunnerSettings.DEFAULTS);
    }

    /**
     * Creates a runner for the database of an engine.
     *
     * @param engine the engine
     * @return a runner with default settings
     */
    public static MigrationRunner on(Engine engine) {
        return new MigrationRunner(engine.url(), engine, null, null, RunnerSettings.DEFAULTS);
    }

    /**
     * Sets the cache that the engine comes from; {@link EngineCache#shared} by default.
     *
     * @param cache the cache
     * @return a runner with this setting
     * @throws IllegalArgumentException if this runner was created for an engine
     */
    public MigrationRunner cache(EngineCache cache) {
        requireNoEngine();
        return new MigrationRunner(url, engine, Objects.requireNonNull(cache, "cache"), engineSettings, settings);
    }

    /**
     * Sets the settings that the engine must have; by default any engine will do.
     *
     * @param settings the settings of the engine
     * @return a runner with this setting
     * @throws IllegalArgumentException if this runner was created for an engine
     */
    public MigrationRunner settings(EngineSettings settings) {
        requireNoEngine();
        return new MigrationRunner(url, engine, cache, Objects.requireNonNull(settings, "settings"), this.settings);
    }

    private void requireNoEngine() {
        if (engine != null) {
            throw new IllegalArgumentException(
                    "The runner has an engine for " + url + "; set a cache or engine settings only for a URL");
        }
    }

    /**
     * Sets the locations of the scripts. They replace {@code classpath:db/migration} and all earlier locations.
     *
     * @param locations such as {@code classpath:db/migration} and {@code filesystem:/srv/app/scripts}; without a prefix, on the
     *     classpath. Each must exist when the scripts are read
     * @return a runner with this setting
     */
    public MigrationRunner locations(String... locations) {
        return with(settings.withLocations(locations));
    }

    /**
     * Replaces <code>${name}</code> in the scripts.
     *
     * @param name the name
     * @param value the replacement
     * @return a runner with this placeholder and all earlier ones
     */
    public MigrationRunner placeholder(String name, String value) {
        return with(settings.withPlaceholder(name, value));
    }

    /**
     * Sets the listener for the progress of runs.
     *
     * @param listener the listener; it replaces an earlier one
     * @return a runner with this setting
     */
    public MigrationRunner listener(MigrationListener listener) {
        return with(settings.withListener(listener));
    }

    /**
     * Sets how long a run waits for locks. Other transactions may hold them, or another process or engine that migrates
     * the same database.
     *
     * @param lockTimeout the longest wait; five minutes by default
     * @return a runner with this setting
     * @throws IllegalArgumentException if it is negative
     */
    public MigrationRunner lockTimeout(Duration lockTimeout) {
        return with(settings.withLockTimeout(lockTimeout));
    }

    /**
     * Changes Flyway's configuration, for everything without a setting here: migrations written in Java, a target, callbacks, a history
     * table of another name, {@code baselineOnMigrate}, {@code outOfOrder}.
     *
     * <p>The function is called for each Flyway instance and must do the same each time. It overrides the settings of this runner, with
     * three exceptions: the data source is that of the engine, {@code clean} stays disabled, and the runner's own callbacks stay.
     *
     * @param customiser a function that changes the configuration and returns it, or returns another one
     * @return a runner with this change after all earlier ones
     */
    public MigrationRunner configure(UnaryOperator<FluentConfiguration> customiser) {
        return with(settings.withCustomiser(customiser));
    }

    private MigrationRunner with(RunnerSettings other) {
        return new MigrationRunner(url, engine, cache, engineSettings, other);
    }

    /**
     * Applies all pending scripts. If the database can roll back a whole run, a failure leaves it as it was.
     *
     * <p>Threads that call this for equal scripts on one engine share one run: all get the same result, or each its own exception with
     * the same cause. Different scripts on one engine run one after the other.
     *
     * @return the result of the run, perhaps of an earlier one on the same engine
     * @throws MigrationScriptException if a script failed; the next call retries
     * @throws MigrationHistoryException if the scripts do not fit the applied migrations
     * @throws MigrationException if the scripts cannot be read, or the database cannot be migrated for another reason
     * @throws dev.oneengine.cache.EngineException if the cache cannot create the engine
     */
    public MigrationResult migrate() {
        MigrationStep step = step();
        return migrate(engine(), step);
    }

    static MigrationResult migrate(Engine engine, MigrationStep step) {
        try {
            return engine.prepare(step);
        } catch (PreparationException e) {
            if (e.getCause() instanceof MigrationException shared) {
                throw shared.ofThisThread();
            }
            throw e;
        }
    }

    /**
     * Returns the migration as a one-time setup of an engine, for units of work. It applies the scripts as they are now. If it fails,
     * the cause of the {@link PreparationException} is the exception that {@link #migrate} would throw.
     *
     * @return the step; runners with equal scripts share one step
     * @throws MigrationException if the scripts cannot be read
     */
    public Preparation<MigrationResult> preparation() {
        return step();
    }

    MigrationStep step() {
        return new MigrationStep(settings, scripts.fingerprint());
    }

    /**
     * Returns the migrations that {@link #migrate} would apply now. Changes nothing and creates no file.
     *
     * @return the migrations, in order
     * @throws MigrationException if the scripts or the database cannot be read
     */
    public List<Migration> pending() {
        return read(History::pending);
    }

    /**
     * Returns all migrations: the scripts and the applied ones. Changes nothing and creates no file.
     *
     * @return first the applied migrations, in the order of their runs, then the others by version
     * @throws MigrationException if the scripts or the database cannot be read
     */
    public List<Migration> status() {
        return read(History::migrations);
    }

    /**
     * Checks that the scripts fit the applied migrations. Some may be pending. Changes nothing and creates no file.
     *
     * @throws MigrationHistoryException if they do not fit; the message names the remedy
     * @throws MigrationException if the scripts or the database cannot be read
     */
    public void validate() {
        read(history -> {
            history.validate(url);
            return true;
        });
    }

    private <T> T read(Function<History, T> question) {
        DatabaseSupport database = DatabaseSupport.of(url);
        DataSource alone =
                engine == null ? database.readWithoutEngine(engineSettings().busyTimeout()) : null;
        try (FlywayDataSource source =
                new FlywayDataSource(alone == null ? EngineConnections.forReading(engine(), database) : alone)) {
            return question.apply(History.read(FlywayFactory.create(settings, source)));
        } catch (FlywayException e) {
            throw FlywayFailures.ofReading(url, e);
        }
    }

    /**
     * Returns the engine of the database, migrated or not.
     *
     * @return the engine; a cache creates another one after it was closed
     * @throws dev.oneengine.cache.EngineException if the cache cannot create the engine
     */
    public Engine engine() {
        if (engine != null) {
            return engine;
        }
        EngineCache from = cache == null ? EngineCache.shared() : cache;
        return engineSettings == null ? from.engine(url) : from.engine(url, engineSettings);
    }

    DatabaseUrl url() {
        return url;
    }

    /** Returns the settings of the engine, as far as they are known without creating it. */
    EngineSettings engineSettings() {
        return engine != null ? engine.settings() : engineSettings != null ? engineSettings : EngineSettings.defaults();
    }

    Scripts scripts() {
        return scripts;
    }

    @Override
    public String toString() {
        return "MigrationRunner[" + url + (settings.locations().isEmpty() ? "" : ", " + settings.locations()) + "]";
    }
}
