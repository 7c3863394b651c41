package dev.oneengine.acceptance;

import java.util.List;

/** A migration runner that keeps no history: it runs all scripts each time. Thread-safe. */
record ForgetfulMigrations(HandMadeWork.Source source, Scripts scripts) implements MigrationsUnderTest {
    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    @Override
    public void migrate() throws Exception {
        HandMadeEngine engine = source.get();
        synchronized (engine.migration()) {
            scripts.run(engine, scripts.all());
        }
    }

    @Override
    public List<String> pending() throws Exception {
        return scripts.all();
    }

    @Override
    public List<String> status() throws Exception {
        return scripts.all();
    }
}
