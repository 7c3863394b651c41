package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.MigrationsUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * A cache that records its calls in the story of the scenario. Thread-safe.
 *
 * @param names finds the name of a database by its URL
 */
record RecordedCache(CacheUnderTest cache, Story story, UnaryOperator<String> names) implements CacheUnderTest {
    @Override
    public EngineUnderTest engine(String url) throws Exception {
        return story.<EngineUnderTest>call(
                "asks for the engine of " + names.apply(url),
                () -> new RecordedEngine(EngineSeen.engine(cache.engine(url)).get(), story),
                engine -> "gets " + story.engine(engine.identity()));
    }

    @Override
    public Identity identity() {
        return cache.identity();
    }

    @Override
    public void evict(String url) throws Exception {
        story.call("evicts the engine of " + names.apply(url), () -> cache.evict(url), "has evicted it");
    }

    @Override
    public WorkUnderTest work(String url) throws Exception {
        return new RecordedWork(cache.work(url), story, names.apply(url));
    }

    @Override
    public WorkUnderTest work(String url, Path scripts) throws Exception {
        return new RecordedWork(cache.work(url, scripts), story, names.apply(url));
    }

    @Override
    public MigrationsUnderTest migrations(String url, Path scripts) throws Exception {
        return new RecordedMigrations(cache.migrations(url, scripts), story, names.apply(url));
    }

    @Override
    public void close() throws Exception {
        story.call("closes the cache", cache::close, "has closed it");
    }

    @Override
    public void release() throws Exception {
        cache.release();
    }

    @Override
    public String diagnostics() {
        return cache.diagnostics();
    }
}
