package dev.oneengine.acceptance;

import java.util.ArrayList;
import java.util.List;

/** A migration runner made by hand. Thread-safe. */
record HandMadeMigrations(HandMadeWork.Source source, Scripts scripts) implements MigrationsUnderTest {
    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    @Override
    public void migrate() throws Exception {
        scripts.migrate(source.get());
    }

    @Override
    public List<String> pending() throws Exception {
        return scripts.pending(source.get());
    }

    @Override
    public List<String> status() throws Exception {
        return scripts.all();
    }

    @Override
    public List<EngineUnderTest> forks(int number) throws Exception {
        List<EngineUnderTest> forks = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            forks.add(source.get().copy());
        }
        return forks;
    }
}
