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
 * A database that is migrated once, and as many copies of it as wanted, each independent of all others: for tests, mostly.
 *
 * <pre>{@code
 * try (MigratedTemplate template = MigratedTemplate.of(MigrationRunner.on("sqlite:///:memory:"));
 *         Engine fork = template.fork()) {
 *     UnitOfWork.on(fork).run(tx -> ...);
 * }
 * }</pre>
 *
 * <p>The URL of the runner says what kind of database it is, and is not touched itself: in memory, the template is a database
 * of its own, of a file one in a temporary directory, and on a PostgreSQL server a new database beside the one of the URL,
 * whose user must be allowed to create some.
 *
 * <p>Thread-safe: any number of threads may fork at the same time.
 */
public final class MigratedTemplate implements AutoCloseable {
    private final Original original;
    private final Scripts scripts;
    private final Migrate step;
    private final MigrationResult result;
    private final EngineSettings settings;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MigratedTemplate(
            Original original, Scripts scripts, Migrate step, MigrationResult result, EngineSettings settings) {
        this.original = original;
        this.scripts = scripts;
        this.step = step;
        this.result = result;
        this.settings = settings;
    }

    /**
     * Migrates a new database.
     *
     * @param runner says how, and where
     * @return the template; close it
     * @throws MigrationException if it cannot be migrated
     * @throws dev.oneengine.cache.EngineException if there can be no such database
     */
    public static MigratedTemplate of(MigrationRunner runner) {
        return of(runner, engine -> {});
    }

    /**
     * Migrates a new database and puts data into it.
     *
     * @param runner says how, and where
     * @param seed is called once, with an engine that is closed after that; all forks have what it leaves in the database
     * @return the template; close it
     * @throws MigrationException if it cannot be migrated, or the seed fails
     * @throws dev.oneengine.cache.EngineException if there can be no such database
     */
    public static MigratedTemplate of(MigrationRunner runner, Preparation.Action seed) {
        Migrate step = runner.step();
        EngineSettings settings = runner.settingsOfForks();
        Original original = Original.create(runner.url(), settings);
        return Undo.onFailure(original::close, () -> {
            Engine engine = original.engine();
            MigrationResult result = MigrationRunner.migrate(engine, step);
            seed(engine, seed);
            original.finish();
            return new MigratedTemplate(original, runner.scripts(), step, result, settings);
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
                        left + " of its connections are still open, and what is not committed on "
                                + "them would be lost; close them");
            }
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new MigrationException("Putting data into the template of " + engine.url() + " failed: " + e, e);
        }
    }

    /**
     * Makes an independent copy: an engine of its own, that no cache knows, with all that engines have. What the runner would
     * do is done in it. Its database goes when it is closed, also in a file or on a server.
     *
     * @return the engine; close it
     * @throws MigrationException if the template is closed, or its scripts have been changed since it was made
     * @throws dev.oneengine.cache.EngineException if it cannot be copied
     */
    public Engine fork() {
        check();
        DatabaseUrl url = original.nextFork();
        EngineFactory factory = (ignored, own) -> original.fork(url, own, true);
        // A cache for this one engine, which is forgotten with it.
        Engine fork = EngineCache.create(factory, settings).engine(url);
        return Undo.onFailure(fork::close, () -> {
            fork.prepare(new Done(step.name(), result));
            return fork;
        });
    }

    /**
     * Makes copies for a cache, one for each database that it is asked for: an {@link EngineCache} with this factory gives
     * engines to an application that takes them by URL. A file or a database on a server must not exist yet, and stays when its
     * engine is closed.
     *
     * @return a thread-safe factory; what it is asked for must be of the same kind as the template
     */
    public EngineFactory factory() {
        return (url, own) -> {
            check();
            if (url.kind() != original.kind()) {
                throw new MigrationException(
                        "A template in " + original.kind() + " cannot be copied to " + url
                                + "; make another one with a URL of that kind",
                        null);
            }
            return original.fork(url, own, false);
        };
    }

    private void check() {
        if (closed.get()) {
            throw new MigrationException("The template of " + original + " is closed; fork it before that", null);
        }
        if (!scripts.name().equals(step.name())) {
            throw new MigrationException(
                    "The scripts of the template of " + original + " have been changed since it was made; make a new "
                            + "template",
                    null);
        }
    }

    /**
     * Lets go of the template. Its forks live on. Closing a closed template does nothing.
     *
     * @throws dev.oneengine.cache.EngineException if its database could not be removed
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            original.close();
        }
    }

    @Override
    public String toString() {
        return "MigratedTemplate[" + original + (closed.get() ? ", closed]" : "]");
    }

    /** The migration of a fork, which its template had. */
    private record Done(String name, MigrationResult result) implements Preparation<MigrationResult> {
        @Override
        public MigrationResult prepare(Engine engine) {
            return result;
        }
    }
}
