package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertSays;
import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.Identity;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Steps about threads that race for one engine. Confined to the thread of the scenario. */
public final class RaceSteps {
    private final Databases databases;
    private final Caches caches;
    private final Race race;
    private final Caller caller;
    private List<List<String>> tablesEngineSeen = List.of();

    public RaceSteps(World world) {
        databases = world.databases();
        caches = world.caches();
        race = world.race();
        caller = world.caller();
    }

    @When("{int} threads ask for the engine of {string} at the same moment")
    public void race(int threads, String database) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        race.run(database, threads, i -> EngineSeen.engine(cache.engine(url)));
    }

    @When("{int} units of work open {string} at the same moment")
    public void raceOfUnits(int units, String database) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        race.run(database, units, i -> Opened.unit(cache, url));
    }

    @When("{int} unit(s) of work and {int} migration runner(s) open {string} at the same moment")
    public void raceOfUnitsAndRunners(int units, int runners, String database) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        Path folder = databases.folder();
        race.run(
                database,
                units + runners,
                i -> i < units
                        ? Opened.unit(cache, url)
                        : EngineSeen.identity(cache.migrations(url, folder).engine()));
    }

    /** The connection stays open, so that the other threads have to use other connections. */
    @When("the first of these threads creates a table")
    public void createsTable() {
        List<EngineSeen> engines = race.racers().stream().map(Worker::result).toList();
        String tables = race.database().underTest().tablesQuery();
        tablesEngineSeen = caller.expect(() -> {
            List<List<String>> found = new ArrayList<>();
            ConnectionUnderTest connection = engines.get(0).get().connect();
            try {
                Items.createTable(connection);
                for (EngineSeen other : engines.subList(1, engines.size())) {
                    // On another thread, because a pool may give each thread its own connection.
                    found.add(caller.expect(() -> other.get().sql(tables)));
                }
            } finally {
                connection.close();
            }
            return found;
        });
    }

    @Then("the other threads find the table")
    public void findTable() {
        assertThat(tablesEngineSeen).isNotEmpty();
        tablesEngineSeen.forEach(tables -> assertThat(tables).contains(Items.TABLE));
    }

    @Then("no thread fails")
    public void noThreadFails() {
        race.racers()
                .forEach(racer ->
                        assertThat(racer.failure()).as(racer.name() + " fails").isNull());
    }

    @Then("all threads have the same engine")
    public void sameEngine() {
        Identity first = race.racers().get(0).result().identity();
        race.racers()
                .forEach(racer -> assertThat(racer.result().identity())
                        .as("the engine of " + racer.name())
                        .isEqualTo(first));
    }

    @Then("each thread has an engine or the failure of the creation")
    public void eachHasEngineOrFailure() {
        race.racers().forEach(racer -> {
            Throwable failure = racer.failure();
            if (failure == null) {
                caller.expect(() -> Opened.use(racer.result()));
            } else {
                assertSays(failure, CreationGate.FAILURE);
            }
        });
    }

    @Then("each thread gets the failure of the creation")
    public void allGetFailure() {
        race.racers().forEach(racer -> assertSays(racer.failure(), CreationGate.FAILURE));
    }
}
