package dev.oneengine.acceptance;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The base of all caches made by hand. Thread-safe. */
abstract class HandMadeCache implements CacheUnderTest {
    private final Creation creation;
    private final HandMadeEngine.Opening opening;
    private final List<HandMadeEngine> created = new CopyOnWriteArrayList<>();

    HandMadeCache(Creation creation, HandMadeEngine.Opening opening) {
        this.creation = creation;
        this.opening = opening;
    }

    final HandMadeEngine create(String url) throws Exception {
        creation.begins(url);
        HandMadeEngine engine = opening.open(url);
        created.add(engine);
        return engine;
    }

    @Override
    public abstract HandMadeEngine engine(String url) throws Exception;

    /** Returns the engine for a migration runner. A correct cache returns the same engine as for units of work. */
    HandMadeEngine engineOfRunner(String url) throws Exception {
        return engine(url);
    }

    @Override
    public final Identity identity() {
        return Identity.of(this);
    }

    @Override
    public WorkUnderTest work(String url) {
        return new HandMadeWork(() -> engine(url), engine -> {});
    }

    @Override
    public WorkUnderTest work(String url, Path scripts) {
        return new HandMadeWork(() -> engine(url), engine -> new Scripts(scripts).migrate(engine));
    }

    @Override
    public MigrationsUnderTest migrations(String url, Path scripts) {
        return new HandMadeMigrations(() -> engineOfRunner(url), new Scripts(scripts));
    }

    /** Closes all engines, including those that the cache has lost. */
    @Override
    public void close() throws Exception {
        for (HandMadeEngine engine : created) {
            engine.close();
        }
    }
}
