package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.MigrationsUnderTest;
import java.util.List;

/** A migration runner that records its calls in the story of the scenario. Thread-safe. */
record RecordedMigrations(MigrationsUnderTest migrations, Story story, String database) implements MigrationsUnderTest {
    @Override
    public Identity engine() throws Exception {
        return story.call(
                "opens a migration runner on " + database,
                migrations::engine,
                engine -> "gets " + story.engine(engine));
    }

    @Override
    public void migrate() throws Exception {
        story.call("migrates " + database, migrations::migrate, "has migrated it");
    }

    @Override
    public List<String> pending() throws Exception {
        return story.call("asks for the pending scripts of " + database, migrations::pending, names -> "gets " + names);
    }

    @Override
    public List<String> status() throws Exception {
        return story.call("asks for the status of " + database, migrations::status, lines -> "gets " + lines);
    }

    @Override
    public List<EngineUnderTest> forks(int number) throws Exception {
        return story.call(
                "makes " + number + " forks of " + database,
                () -> migrations.forks(number),
                forks -> "gets " + forks.size());
    }
}
