package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.DatabaseKind;
import dev.oneengine.acceptance.Identity;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Steps with many threads. Confined to the thread of the scenario. */
public final class LoadSteps {
    private final Databases databases;
    private final Creations creations;
    private final Caches caches;
    private final Race race;
    private final Crew crew;
    private List<Database> loaded = List.of();
    private List<List<Identity>> engines = List.of();

    public LoadSteps(World world) {
        databases = world.databases();
        creations = world.creations();
        caches = world.caches();
        race = world.race();
        crew = world.crew();
    }

    @When("{int} workers open units of work on {string}, with {int} parallel sub-plans each")
    public void workersWithSubPlans(int workers, String database, int subPlans) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        List<Worker<EngineSeen>> started = Collections.synchronizedList(new ArrayList<>());
        race.run(database, workers, i -> {
            EngineSeen mine = Opened.unit(cache, url);
            for (int plan = 1; plan <= subPlans; plan++) {
                started.add(crew.start("worker " + (i + 1) + ", sub-plan " + plan, () -> Opened.unit(cache, url)));
            }
            return mine;
        });
        race.add(started);
    }

    /**
     * All threads begin with the same database, where the race is certain. Then each pair of threads continues in its own order.
     */
    @When("{int} threads ask for the engines of {int} in-memory databases")
    public void load(int threads, int size) throws Exception {
        CacheUnderTest cache = caches.first();
        List<Database> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(databases.add(DatabaseKind.IN_MEMORY, "load" + i));
        }
        loaded = all;
        engines = crew
                .race(threads, creations.of("load0")::expect, racer -> {
                    Identity[] found = new Identity[size];
                    for (int i : order(size, racer / 2)) {
                        found[i] = EngineSeen.engine(cache.engine(all.get(i).url()))
                                .identity();
                    }
                    return List.of(found);
                })
                .stream()
                .map(Worker::result)
                .toList();
    }

    private static List<Integer> order(int size, int seed) {
        List<Integer> order = new ArrayList<>(IntStream.range(1, size).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        order.add(0, 0);
        return order;
    }

    @Then("all threads have the same engine for the same database")
    public void sameEngines() {
        for (int i = 0; i < loaded.size(); i++) {
            int database = i;
            Identity first = engines.get(0).get(database);
            engines.forEach(found -> assertThat(found.get(database)).isEqualTo(first));
        }
    }

    @Then("1 engine has been created for each database")
    public void oneEach() {
        loaded.forEach(database -> assertThat(creations.of(database.name()).visits())
                .as("engines created")
                .isEqualTo(1));
    }
}
