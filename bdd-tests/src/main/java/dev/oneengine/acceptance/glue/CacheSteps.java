package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.DatabaseKind;
import dev.oneengine.acceptance.Identity;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps about the engines that callers get. Confined to the thread of the scenario. */
public final class CacheSteps {
    private final World world;
    private final List<Worker<Boolean>> waiting = new ArrayList<>();
    private List<List<String>> tablesEngineSeen = List.of();
    private @Nullable EngineSeen cached;

    public CacheSteps(World world) {
        this.world = world;
    }

    @Given("a/an {kind} database {string}")
    public void database(DatabaseKind kind, String name) throws Exception {
        world.follow(world.databases().add(kind, name));
    }

    @Given("the unnamed in-memory database, called {string} here")
    public void namelessDatabase(String name) throws Exception {
        world.follow(world.databases().add(DatabaseKind.NAMELESS, name));
    }

    @Given("an in-memory database {string} whose URL has the same hash code as that of {string}")
    public void databasesOfOneHashCode(String one, String other) throws Exception {
        world.databases().addWithOneHashCode(one, other).forEach(world::follow);
    }

    @Given("the engine of {string} is cached")
    public void cached(String database) throws Exception {
        cached = world.engine(database);
    }

    @Given("the first attempt to create the engine of {string} fails")
    public void firstAttemptFails(String database) {
        world.site(database).failNext(1);
    }

    @Given("thread {word} is creating the engine of {string}")
    public void busy(String thread, String database) {
        CreationGate site = world.site(database);
        site.hold();
        Worker<EngineSeen> worker = world.ask(thread, database);
        worker.awaitEndOr(() -> site.isInside(worker));
        assertThat(site.isInside(worker))
                .as("the cache must call Creation.begins when it creates an engine")
                .isTrue();
    }

    /** Returns when the call has ended. While the scenario holds the creation, also when the call waits or creates an engine. */
    @Given("thread {word} has asked for the engine of {string}")
    public void hasAsked(String thread, String database) {
        Worker<EngineSeen> worker = world.ask(thread, database);
        worker.awaitEndOr(() -> world.site(database).isHeld() && (world.isCreating(worker) || worker.isWaiting()));
    }

    @Given("thread {word} has closed the cache")
    public void hasClosed(String thread) {
        closes(thread);
    }

    @Given("an outside thread holds the monitors of the cache, its class and the URL of {string}")
    public void locksAreHeld(String database) throws Exception {
        world.holdLocks(world.database(database).url(), world.cache().identity());
    }

    @Given("an outside thread holds the monitors of the cache, its class, the URL and the engine of {string}")
    public void locksAreHeldBesideEngine(String database) throws Exception {
        world.holdLocks(
                world.database(database).url(),
                world.cache().identity(),
                world.engine(database).identity());
    }

    @When("thread {word} asks for the engine of {string}")
    public void asks(String thread, String database) {
        world.ask(thread, database);
    }

    @When("{int} threads ask for the engine of {string} at the same moment")
    public void race(int threads, String database) {
        CacheUnderTest cache = world.cache();
        String url = world.database(database).url();
        world.race(database, threads, i -> EngineSeen.engine(cache.engine(url)));
    }

    @When("{int} units of work open {string} at the same moment")
    public void raceOfUnits(int units, String database) {
        CacheUnderTest cache = world.cache();
        String url = world.database(database).url();
        world.race(database, units, i -> Opened.unit(cache, url));
    }

    @When("{int} unit(s) of work and {int} migration runner(s) open {string} at the same moment")
    public void raceOfUnitsAndRunners(int units, int runners, String database) {
        CacheUnderTest cache = world.cache();
        String url = world.database(database).url();
        Path folder = world.databases().folder();
        world.race(
                database,
                units + runners,
                i -> i < units
                        ? Opened.unit(cache, url)
                        : EngineSeen.identity(cache.migrations(url, folder).engine()));
    }

    /** The connection stays open, so that the other threads have to use other connections. */
    @When("the first of these threads creates a table")
    public void createsTable() {
        List<EngineSeen> engines = world.racers().stream().map(Worker::result).toList();
        String tables = world.raced().underTest().tablesQuery();
        tablesEngineSeen = world.expect(() -> {
            List<List<String>> found = new ArrayList<>();
            ConnectionUnderTest connection = engines.get(0).get().connect();
            try {
                Items.createTable(connection);
                for (EngineSeen other : engines.subList(1, engines.size())) {
                    // On another thread, because a pool may give each thread its own connection.
                    found.add(world.expect(() -> other.get().sql(tables)));
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

    @When("thread {word} evicts the engine of {string}")
    public void evicts(String thread, String database) {
        String url = world.database(database).url();
        startAndLetWait(thread, () -> world.cache().evict(url));
    }

    @When("thread {word} closes the cache")
    public void closes(String thread) {
        startAndLetWait(thread, world.cache()::close);
    }

    /** Waits for the end of the thread, or until the thread waits for a creation that the scenario holds back. */
    private void startAndLetWait(String thread, Units.Action action) {
        Worker<Boolean> worker = world.crew().start(thread, () -> {
            action.run();
            return true;
        });
        worker.awaitEndOr(() -> world.isAnybodyCreating() && worker.isWaiting());
        if (worker.isDone()) {
            worker.result();
        } else {
            waiting.add(worker);
        }
    }

    /** An eviction or a close of the cache that waited for the creation must not fail. */
    @When("thread {word} finishes creating the engine of {string}")
    public void finishesCreating(String thread, String database) {
        assertThat(world.site(database).isInside(world.thread(thread)))
                .as("thread " + thread + " is creating")
                .isTrue();
        world.site(database).release();
        waiting.forEach(Worker::result);
        world.crew().awaitEnd();
    }

    @Then("{int} engine(s) has/have been created for {string}")
    public void created(int engines, String database) {
        assertThat(world.site(database).visits()).as("engines created").isEqualTo(engines);
    }

    @Then("no thread fails")
    public void noThreadFails() {
        world.racers()
                .forEach(racer ->
                        assertThat(racer.failure()).as(racer.name() + " fails").isNull());
    }

    @Then("all threads have the same engine")
    public void sameEngine() {
        Identity first = world.racers().get(0).result().identity();
        world.racers()
                .forEach(racer -> assertThat(racer.result().identity())
                        .as("the engine of " + racer.name())
                        .isEqualTo(first));
    }

    @Then("all threads have the cached engine")
    public void cachedEngine() {
        world.racers()
                .forEach(racer -> assertThat(racer.result().identity())
                        .as("the engine of " + racer.name())
                        .isEqualTo(cached().identity()));
    }

    @Then("thread {word} waits")
    public void waits(String thread) {
        Worker<EngineSeen> worker = world.thread(thread);
        worker.awaitEndOr(() -> world.isCreating(worker) || worker.isWaiting());
        assertThat(world.isCreating(worker))
                .as("thread " + thread + " creates an engine of its own")
                .isFalse();
        assertThat(worker.isDone()).as("thread " + thread + " is done").isFalse();
    }

    @Then("thread {word} gets an engine while thread {word} is still creating")
    public void hasEngineMeanwhile(String thread, String busy) {
        Worker<EngineSeen> worker = world.thread(thread);
        Thread other = world.thread(busy).thread();
        worker.awaitEndOr(() -> worker.isKeptBy(other));
        assertThat(worker.isDone())
                .as("thread " + thread + " is done, and does not wait for thread " + busy)
                .isTrue();
        world.expect(() -> Opened.use(worker.result()));
        assertThat(world.thread(busy).isDone()).isFalse();
    }

    @Then("thread {word} gets an engine while the outside thread holds the monitors")
    public void hasEngineDespiteLocks(String thread) {
        Worker<EngineSeen> worker = world.thread(thread);
        worker.awaitEndOr(() -> worker.isKeptBy(world.outsider()));
        assertThat(worker.isDone())
                .as("thread " + thread + " is done, and does not wait for a lock that others can hold")
                .isTrue();
        world.expect(() -> Opened.use(worker.result()));
    }

    @Then("thread {word} has the same engine as thread {word}")
    public void sameEngineAs(String thread, String other) {
        assertThat(world.thread(thread).result().identity())
                .as("the engine of thread " + thread)
                .isEqualTo(world.thread(other).result().identity());
    }

    @Then("thread {word} has an engine")
    public void hasEngine(String thread) {
        assertThat(world.thread(thread).result()).isNotNull();
    }

    @Then("thread {word} has another engine than the cached one")
    public void hasAnotherEngine(String thread) {
        assertThat(world.thread(thread).result().identity()).isNotEqualTo(cached().identity());
    }

    @Then("the engine of thread {word} works")
    public void engineWorks(String thread) {
        world.expect(() -> Opened.use(world.thread(thread).result()));
    }

    @Then("thread {word} gets a failure")
    public void getsAnyFailure(String thread) {
        assertThat(world.thread(thread).failure())
                .as("a failure of thread " + thread)
                .isNotNull();
    }

    @Then("each thread has an engine or the failure of the creation")
    public void eachHasEngineOrFailure() {
        world.racers().forEach(racer -> {
            Throwable failure = racer.failure();
            if (failure == null) {
                world.expect(() -> Opened.use(racer.result()));
            } else {
                Failures.assertSays(failure, CreationGate.FAILURE);
            }
        });
    }

    @Then("thread {word} gets the failure of the creation")
    public void getsFailure(String thread) {
        Failures.assertSays(world.thread(thread).failure(), CreationGate.FAILURE);
    }

    @Then("each thread gets the failure of the creation")
    public void allGetFailure() {
        world.racers().forEach(racer -> Failures.assertSays(racer.failure(), CreationGate.FAILURE));
    }

    @Then("the cached engine is closed")
    public void cachedIsClosed() {
        assertThat(world.expect(() -> cached().get().isClosed()))
                .as("the cached engine is closed")
                .isTrue();
    }

    @Then("thread {word} has no open engine")
    public void hasNoOpenEngine(String thread) {
        Worker<EngineSeen> worker = world.thread(thread);
        if (worker.failure() instanceof Exception) {
            return; // the call was rejected: the cache is closed
        }
        assertThat(worker.result().get().isClosed())
                .as("the engine of thread " + thread + " is closed")
                .isTrue();
    }

    private EngineSeen cached() {
        return Objects.requireNonNull(cached, "no step has cached an engine");
    }
}
