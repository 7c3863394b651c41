package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.MigrationsUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import java.nio.file.Path;
import java.util.Set;

/** The cache of a driver. Thread-safe. */
record DriverCache(DriverProcess process, Set<Ability> abilities, Runnable onRelease) implements CacheUnderTest {
    @Override
    public Identity identity() {
        return Identity.outside("the cache of driver " + process.pid());
    }

    @Override
    public EngineUnderTest engine(String url) throws Exception {
        return new DriverEngine(process, process.call("engine", "url", url).text("engine"));
    }

    @Override
    public void evict(String url) throws Exception {
        process.call("evict", "url", url);
    }

    @Override
    public WorkUnderTest work(String url) {
        return new DriverWork(process, "url", url);
    }

    @Override
    public WorkUnderTest work(String url, Path scripts) {
        return new DriverWork(
                process, "url", url, "scripts", scripts.toAbsolutePath().toString());
    }

    @Override
    public MigrationsUnderTest migrations(String url, Path scripts) {
        return new DriverMigrations(process, url, scripts.toAbsolutePath().toString());
    }

    /** If a driver cannot close its cache, its process ends instead, which closes everything. */
    @Override
    public void close() throws Exception {
        if (abilities.contains(Ability.CLOSING)) {
            process.call("close");
        }
    }

    @Override
    public void release() {
        onRelease.run();
        process.end();
    }

    @Override
    public String diagnostics() {
        return process.diagnostics();
    }
}
