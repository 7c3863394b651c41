package dev.oneengine.migration;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A database that is migrated once and copied any number of times, mostly for tests. The copies are independent of each other.
 *
 * <pre>{@code
 * try (MigratedTemplate template = MigratedTemplate.of(MigrationRunner.on("sqlite:///:memory:"));
 *         Engine fork = template.fork()) {
 *     UnitOfWork.on(fork).run(tx -> ...);
 * }
 * }</pre>
 *
 * <p>The URL of the runner selects the kind of database. The template is a new database of that kind: in memory, in a temporary
 * directory, or on the PostgreSQL server of the URL, whose user needs the right to create databases. The database of the URL itself does
 * not change.
 *
 * <p>Thread-safe: any number of threads may fork at the same time.
 */
public final class MigratedTemplate implements AutoCloseable {
    private final TemplateDatabase database;
    private final Scripts scripts;
    private final MigrationStep step;
    private final MigrationResult result;
    private final EngineSettings settings;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MigratedTemplate(
            TemplateDatabase database,
            Scripts scripts,
            MigrationStep step,
            MigrationResult result,
            EngineSettings settings) {
        this.database = database;
        this.scripts = scripts;
        this.step = step;
        this.result = result;
        this.settings = settings;
    }

    /**
     * Migrates a new database.
     *
     * @param runner the runner with the scripts and the kind of database
     * @return the template, to be closed by the caller
     * @throws MigrationException if the migration fails
     * @throws dev.oneengine.cache.EngineException if the database cannot be created
     */
    public static MigratedTemplate of(MigrationRunner runner) {
        return of(runner, engine -> {});
    }

    /**
     * Migrates a new database and adds data that all forks share.
     *
     * @param runner the runner with the scripts and the kind of database
     * @param seed adds the data; it is called once, with an engine that is closed afterwards
     * @return the template, to be closed by the caller
     * @throws MigrationException if the migration or the seed fails
     * @throws dev.oneengine.cache.EngineException if the database cannot be created
     */
    public static MigratedTemplate of(MigrationRunner runner, Preparation.Action seed) {
        MigrationStep step = runner.step();
        EngineSettings settings = runner.engineSettings();
        TemplateDatabase database = TemplateDatabase.create(runner.url(), settings);
        return Cleanup.onFailure(database::close, () -> {
            Engine engine = database.engine();
            MigrationResult result = MigrationRunner.migrate(engine, step);
            seed(engine, seed);
            database.finish();
            return new MigratedTemplate(database, runner.scripts(), step, result, settings);
        });
    }

    private static void seed(Engine engine, Preparation.Action seed) {
        try {
            seed.run(engine);
            int left = engine.dataSource()
                    .unwrap(HikariDataSource.class)
                    .getHikariPoolMXBean()
                    .getActiveConnections();
            if (left > 0) {
                throw new IllegalStateException(
                        left + " of its connections are still open, and their uncommitted work would be lost; close "
                                + "them");
            }
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new MigrationException("Cannot add data to the template of " + engine.url() + ": " + e, e);
        }
    }

    /**
     * Creates an independent copy: a full engine that is in no cache. It is migrated, so the runner has nothing to do on it. Closing the
     * engine removes its database, also a file and a database on a server.
     *
     * @return the engine, to be closed by the caller
     * @throws MigrationException if the template is closed, or its scripts have changed since it was created
     * @throws dev.oneengine.cache.EngineException if the database cannot be copied
     */
    public Engine fork() {
        requireUsable();
        DatabaseUrl url = database.nextFork();
        EngineFactory factory = (ignored, own) -> database.fork(url, own, true);
        // A cache for only this engine.
        Engine fork = EngineCache.create(factory, settings).engine(url);
        return Cleanup.onFailure(fork::close, () -> {
            fork.prepare(new MigrationOfTemplate(step.name(), result));
            return fork;
        });
    }

    /**
     * Returns a factory for an {@link EngineCache} whose engines are forks, for an application that takes its engines by URL. A file or
     * a database on a server must not exist before, and stays when its engine is closed.
     *
     * @return a thread-safe factory for databases of the same kind as the template
     */
    public EngineFactory factory() {
        return (url, own) -> {
            requireUsable();
            if (url.kind() != database.kind()) {
                throw new MigrationException(
                        "Cannot copy a template of kind " + database.kind() + " to " + url
                                + ": create a template with a URL of that kind",
                        null);
            }
            return database.fork(url, own, false);
        };
    }

    private void requireUsable() {
        if (closed.get()) {
            throw new MigrationException(
                    "Cannot fork the template of " + database + ": it is closed; fork it before you close it", null);
        }
        if (!scripts.fingerprint().equals(step.name())) {
            throw new MigrationException(
                    "Cannot fork the template of " + database
                            + ": its scripts have changed since it was created; create a " + "new template",
                    null);
        }
    }

    /**
     * Closes the template and removes its database. Its forks stay open. Closing a closed template does nothing.
     *
     * @throws dev.oneengine.cache.EngineException if the database cannot be removed
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            database.close();
        }
    }

    @Override
    public String toString() {
        return "MigratedTemplate[" + database + (closed.get() ? ", closed]" : "]");
    }

    /** Marks a fork as migrated, with the result of its template. Immutable and thread-safe. */
    private record MigrationOfTemplate(String name, MigrationResult result) implements Preparation<MigrationResult> {
        @Override
        public MigrationResult prepare(Engine engine) {
            return result;
        }
    }
}
