package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import dev.oneengine.cache.PreparationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Brings a database to the state that scripts describe, with Flyway: each script once, however many threads and processes ask
 * for it.
 *
 * <pre>{@code
 * MigrationRunner.on("jdbc:sqlite:app.db").locations("classpath:db/migration").migrate();
 * }</pre>
 *
 * <p>Immutable, thread-safe and cheap to make: each setting gives another runner, and the engine is taken from its cache when
 * it is first needed.
 */
public final class MigrationRunner {
    private final DatabaseUrl url;
    private final @Nullable Engine engine;
    private final @Nullable EngineCache cache;
    private final @Nullable EngineSettings settings;
    private final Setup setup;
    private final Scripts scripts;

    private MigrationRunner(
            DatabaseUrl url,
            @Nullable Engine engine,
            @Nullable EngineCache cache,
            @Nullable EngineSettings settings,
            Setup setup,
            Scripts scripts) {
        this.url = url;
        this.engine = engine;
        this.cache = cache;
        this.settings = settings;
        this.setup = setup;
        this.scripts = scripts;
    }

    /**
     * Migrations of a database, on the engine of {@link EngineCache#shared}. The scripts are at Flyway's default location,
     * {@code classpath:db/migration}.
     *
     * @param url the database, in any form that {@link DatabaseUrl#parse} reads
     * @return a runner with default settings
     * @throws dev.oneengine.cache.InvalidDatabaseUrlException if the URL cannot be read
     */
    public static MigrationRunner on(String url) {
        return on(DatabaseUrl.parse(url), null);
    }

    /**
     * Migrations of an engine's database.
     *
     * @param engine the engine
     * @return a runner with default settings
     */
    public static MigrationRunner on(Engine engine) {
        return on(engine.url(), engine);
    }

    private static MigrationRunner on(DatabaseUrl url, @Nullable Engine engine) {
        Setup setup = new Setup(
                List.of(), Collections.emptySortedMap(), UnaryOperator.identity(), null, Duration.ofMinutes(5));
        return new MigrationRunner(url, engine, null, null, setup, new Scripts(setup));
    }

    /**
     * Takes the engine from another cache than {@link EngineCache#shared}.
     *
     * @param cache where the engine comes from
     * @return a runner with this setting
     * @throws IllegalArgumentException if this runner was made for an engine
     */
    public MigrationRunner cache(EngineCache cache) {
        refuseForEngine();
        return new MigrationRunner(url, engine, Objects.requireNonNull(cache, "cache"), settings, setup, scripts);
    }

    /**
     * Asks for an engine with certain settings.
     *
     * @param settings what the engine must have
     * @return a runner with this setting
     * @throws IllegalArgumentException if this runner was made for an engine
     */
    public MigrationRunner settings(EngineSettings settings) {
        refuseForEngine();
        return new MigrationRunner(url, engine, cache, Objects.requireNonNull(settings, "settings"), setup, scripts);
    }

    private void refuseForEngine() {
        if (engine != null) {
            throw new IllegalArgumentException(
                    "The engine of " + url + " is there already; set a cache or engine settings only for a URL");
        }
    }

    /**
     * Sets where the scripts are, instead of {@code classpath:db/migration} and of all locations that were set before.
     *
     * @param locations such as {@code classpath:db/migration} and {@code filesystem:/srv/app/scripts}; without a prefix, it is
     *     the class path. Each must exist when the scripts are read
     * @return a runner with this setting
     */
    public MigrationRunner locations(String... locations) {
        return with(new Setup(
                List.of(locations), setup.placeholders(), setup.customiser(), setup.listener(), setup.lockTimeout()));
    }

    /**
     * Replaces <code>${name}</code> in the scripts.
     *
     * @param name the name
     * @param value what stands there when a script is applied
     * @return a runner with this setting beside those it has
     */
    public MigrationRunner placeholder(String name, String value) {
        SortedMap<String, String> placeholders = new TreeMap<>(setup.placeholders());
        placeholders.put(name, Objects.requireNonNull(value, "value"));
        return with(new Setup(
                setup.locations(),
                Collections.unmodifiableSortedMap(placeholders),
                setup.customiser(),
                setup.listener(),
                setup.lockTimeout()));
    }

    /**
     * Lets somebody hear of the progress.
     *
     * @param listener is told of each migration when it begins and ends; replaces another one
     * @return a runner with this setting
     */
    public MigrationRunner listener(MigrationListener listener) {
        return with(new Setup(
                setup.locations(),
                setup.placeholders(),
                setup.customiser(),
                Objects.requireNonNull(listener, "listener"),
                setup.lockTimeout()));
    }

    /**
     * Sets how long a run waits for locks: for another process, or another engine of this process, that migrates the same
     * database, and for other transactions.
     *
     * @param lockTimeout the longest wait; five minutes by default
     * @return a runner with this setting
     * @throws IllegalArgumentException if it is negative
     */
    public MigrationRunner lockTimeout(Duration lockTimeout) {
        if (lockTimeout.isNegative()) {
            throw new IllegalArgumentException("lockTimeout must not be negative, as " + lockTimeout + " is");
        }
        return with(
                new Setup(setup.locations(), setup.placeholders(), setup.customiser(), setup.listener(), lockTimeout));
    }

    /**
     * Changes Flyway's configuration, for all that has no setting here: migrations written in Java that are given as objects, a
     * target, callbacks, a history table of another name, {@code baselineOnMigrate}, {@code outOfOrder}.
     *
     * <p>It is called whenever Flyway is needed and must do the same each time. What it does comes after what this runner
     * sets by itself, with three exceptions: the data source is that of the engine, {@code clean} stays disabled, and
     * callbacks are kept beside the runner's own.
     *
     * @param customiser gets the configuration and returns it, or another one
     * @return a runner with this change after those that it has
     */
    public MigrationRunner configure(UnaryOperator<FluentConfiguration> customiser) {
        UnaryOperator<FluentConfiguration> before = setup.customiser();
        return with(new Setup(
                setup.locations(),
                setup.placeholders(),
                configuration -> customiser.apply(before.apply(configuration)),
                setup.listener(),
                setup.lockTimeout()));
    }

    private MigrationRunner with(Setup other) {
        return new MigrationRunner(url, engine, cache, settings, other, new Scripts(other));
    }

    /**
     * Applies what is not applied yet: all of it or, where the database can undo that, nothing. Threads that ask for the same
     * scripts on one engine have them applied once. All get the same result, or each an exception of its own with the same cause.
     * Other scripts on the engine come after these.
     *
     * @return what was done; on an engine that these scripts were applied to before, what was done then
     * @throws MigrationScriptException if a script failed; the next call tries again
     * @throws MigrationHistoryException if what is applied does not fit the scripts
     * @throws MigrationException if the scripts cannot be read, or the database cannot be migrated for another reason
     * @throws dev.oneengine.cache.EngineException if there is no engine to be had
     */
    public MigrationResult migrate() {
        Migrate step = step();
        return migrate(engine(), step);
    }

    static MigrationResult migrate(Engine engine, Migrate step) {
        try {
            return engine.prepare(step);
        } catch (PreparationException e) {
            if (e.getCause() instanceof MigrationException mine) {
                throw mine.ofThisThread();
            }
            throw e;
        }
    }

    /**
     * The migration as a step that an engine needs once before it is used, for units of work. It means the scripts as they are
     * now. Where it fails, the cause of the {@link PreparationException} is the exception that {@link #migrate} would throw.
     *
     * @return the step; equal scripts are the same step, whichever runner it is of
     * @throws MigrationException if the scripts cannot be read
     */
    public Preparation<MigrationResult> preparation() {
        return step();
    }

    Migrate step() {
        return new Migrate(setup, scripts.name());
    }

    /**
     * What {@link #migrate} would apply now. Changes nothing, and creates no file.
     *
     * @return the migrations, in this order
     * @throws MigrationException if scripts or database cannot be read
     */
    public List<Migration> pending() {
        return reading(History::pending);
    }

    /**
     * All migrations, those of the scripts and those that are applied. Changes nothing, and creates no file.
     *
     * @return the migrations: first those that are applied, in the order in which they were, then the others by version
     * @throws MigrationException if scripts or database cannot be read
     */
    public List<Migration> status() {
        return reading(History::migrations);
    }

    /**
     * Makes sure that what is applied fits the scripts; migrations may be pending. Changes nothing, and creates no file.
     *
     * @throws MigrationHistoryException if it does not; the message says what to do
     * @throws MigrationException if scripts or database cannot be read
     */
    public void validate() {
        reading(history -> {
            Migrate.check(url, history);
            return true;
        });
    }

    private <T> T reading(Function<History, T> question) {
        try (FlywaySource source = new FlywaySource(toRead())) {
            return question.apply(History.read(setup.flyway(source)));
        } catch (FlywayException e) {
            throw FlywayFailures.ofReading(url, e);
        }
    }

    /** An engine would create a file that is not there, and switch one that is there to another journal. */
    private DataSource toRead() {
        if (engine != null || url.kind() != Kind.SQLITE_FILE) {
            return EngineConnections.forReading(engine());
        }
        if (Files.notExists(Path.of(url.name()))) {
            return PrivateDatabase.empty();
        }
        return new UnopenedFile(url, settingsOfForks().busyTimeout());
    }

    /**
     * The engine that is migrated, whether it is already or not.
     *
     * @return the engine; from a cache another one once it was closed
     * @throws dev.oneengine.cache.EngineException if there is no engine to be had
     */
    public Engine engine() {
        if (engine != null) {
            return engine;
        }
        EngineCache from = cache == null ? EngineCache.shared() : cache;
        return settings == null ? from.engine(url) : from.engine(url, settings);
    }

    DatabaseUrl url() {
        return url;
    }

    EngineSettings settingsOfForks() {
        return engine != null ? engine.settings() : settings != null ? settings : EngineSettings.defaults();
    }

    Scripts scripts() {
        return scripts;
    }

    @Override
    public String toString() {
        return "MigrationRunner[" + url + (setup.locations().isEmpty() ? "" : ", " + setup.locations()) + "]";
    }
}
