package dev.oneengine.acceptance.glue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps about who gets which engine. For the thread of the scenario. */
public final class CacheSteps {
    private final World world;
    private final List<Worker<Boolean>> waiting = new ArrayList<>();
    private @Nullable EngineSeen cached;

    public CacheSteps(World world) {
        this.world = world;
    }

    @Given("a/an {kind} database {string}")
    public void database(String kind, String name) throws Exception {
        world.follow(world.databases().add(kind, name));
    }

    @Given("the in-memory database without a name, called {string} here")
    public void namelessDatabase(String name) {
        world.follow(world.databases().addNameless(name));
    }

    @Given("the engine of {string} is cached")
    public void cached(String database) throws Exception {
        cached = world.engine(database);
    }

    @Given("the first attempt to create the engine of {string} fails")
    public void firstAttemptFails(String database) {
        world.site(database).failNext(1);
    }

    @Given("thread {word} is busy creating the engine of {string}")
    public void busy(String thread, String database) {
        CreationGate site = world.site(database);
        site.hold();
        Worker<EngineSeen> worker = world.ask(thread, database);
        worker.awaitEndOr(() -> site.isInside(worker));
        assertThat(site.isInside(worker))
                .as("the cache must call Creation.begins when it creates an engine")
                .isTrue();
    }

    @Given("somebody outside holds the locks of the cache, of its class and of the URL of {string}")
    public void locksAreHeld(String database) throws Exception {
        Object cache = world.cache().identity();
        String url = world.database(database).url();
        world.holdLocks(List.of(cache, cache.getClass(), url, url.intern()));
    }

    @Given("somebody outside holds the locks of the cache, of its class, of the URL and of the engine of {string}")
    public void locksAreHeldBesideEngine(String database) throws Exception {
        Object cache = world.cache().identity();
        Object engine = world.engine(database).identity();
        String url = world.database(database).url();
        world.holdLocks(List.of(cache, cache.getClass(), url, url.intern(), engine, engine.getClass()));
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

    @When("{int} units of work are opened on {string} at the same moment")
    public void raceOfUnits(int units, String database) {
        CacheUnderTest cache = world.cache();
        String url = world.database(database).url();
        world.race(database, units, i -> Opened.unit(cache, url));
    }

    @When("a unit of work and a migration runner open {string} at the same moment")
    public void raceOfUnitAndRunner(String database) {
        CacheUnderTest cache = world.cache();
        String url = world.database(database).url();
        world.race(
                database,
                2,
                i -> i == 0
                        ? Opened.unit(cache, url)
                        : EngineSeen.identity(
                                cache.migrations(url, world.databases().folder())
                                        .engine()));
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

    /** Waits for its end, but where it may have to wait itself: for a creation that the scenario holds back. */
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

    /** Lets all go on, and none of them must have failed but who creates an engine. */
    private void letGoOn(String database) {
        world.site(database).release();
        waiting.forEach(Worker::result);
        world.crew().awaitEnd();
    }

    @Then("{int} engine(s) has/have been created for {string}")
    public void created(int engines, String database) {
        assertThat(world.site(database).visits()).as("engines created").isEqualTo(engines);
    }

    @Then("all of them have the same engine")
    public void sameEngine() {
        Object first = world.racers().get(0).result().identity();
        assertThat(world.racers())
                .allSatisfy(racer -> assertThat(racer.result().identity()).isSameAs(first));
    }

    @Then("all of them have the cached engine")
    public void cachedEngine() {
        assertThat(world.racers())
                .allSatisfy(racer -> assertThat(racer.result().identity()).isSameAs(cached().identity()));
    }

    @Then("a table that the first of them makes is there for the others")
    public void tableIsThere() throws Exception {
        List<Worker<EngineSeen>> racers = world.racers();
        // Kept open, so that the others have to use other connections.
        try (Connection connection = racers.get(0).result().get().dataSource().getConnection()) {
            Items.createTable(connection);
            for (Worker<EngineSeen> other : racers.subList(1, racers.size())) {
                assertThat(Jdbc.tables(other.result().get().dataSource())).contains(Items.TABLE);
            }
        }
    }

    @Then("thread {word} waits")
    public void waits(String thread) {
        Worker<EngineSeen> worker = world.thread(thread);
        worker.awaitEndOr(worker::isWaiting);
        assertThat(world.isCreating(worker))
                .as("thread " + thread + " creates an engine of its own")
                .isFalse();
        assertThat(worker.isDone()).as("thread " + thread + " is done").isFalse();
    }

    @Then("once thread {word} is done with {string}, thread {word} has the same engine")
    public void sameEngineOnceDone(String busy, String database, String other) {
        world.site(database).release();
        assertThat(world.thread(other).result().identity())
                .isSameAs(world.thread(busy).result().identity());
    }

    @Then("thread {word} has an engine although thread {word} is still busy")
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

    @Then("thread {word} has an engine although the locks are held")
    public void hasEngineDespiteLocks(String thread) {
        Worker<EngineSeen> worker = world.thread(thread);
        worker.awaitEndOr(() -> worker.isKeptBy(world.outsider()));
        assertThat(worker.isDone())
                .as("thread " + thread + " is done, and does not wait for a lock that others can hold")
                .isTrue();
        world.expect(() -> Opened.use(worker.result()));
    }

    @Then("once it is created, thread {word} has an engine of {string}")
    public void hasEngineAfterAll(String thread, String database) {
        letGoOn(database);
        assertThat(world.thread(thread).result()).isNotNull();
    }

    @Then("thread {word} gets that failure")
    public void getsFailure(String thread) {
        Failures.assertSays(world.thread(thread).failure(), CreationGate.FAILURE);
    }

    @Then("all of them get that failure")
    public void allGetFailure() {
        assertThat(world.racers()).allSatisfy(racer -> Failures.assertSays(racer.failure(), CreationGate.FAILURE));
    }

    @Then("the next one who asks for the engine of {string} gets one that works")
    public void nextGetsEngine(String database) {
        world.expect(() -> Opened.use(world.engine(database)));
    }

    @Then("the next one who asks for the engine of {string} gets another one that works")
    public void nextGetsAnotherEngine(String database) {
        EngineSeen found = world.expect(() -> Opened.use(world.engine(database)));
        assertThat(found.identity()).isNotSameAs(cached().identity());
    }

    @Then("the cached engine is closed")
    public void cachedIsClosed() {
        assertThat(world.expect(() -> cached().get().isClosed()))
                .as("the cached engine is closed")
                .isTrue();
    }

    @Then("whoever asks for the engine of {string} gets a failure")
    public void askingFails(String database) {
        String url = world.database(database).url();
        world.attempt(() -> world.cache().engine(url));
        assertThat(world.failure()).as("a failure was expected").isNotNull();
    }

    @Then("once it is created, thread {word} has no engine of {string} that is open")
    public void hasNoOpenEngine(String thread, String database) {
        letGoOn(database);
        Worker<EngineSeen> worker = world.thread(thread);
        if (worker.failure() instanceof Exception) {
            return; // it was told that the cache is closed
        }
        assertThat(worker.result().get().isClosed())
                .as("the engine of thread " + thread + " is closed")
                .isTrue();
    }

    private EngineSeen cached() {
        return Objects.requireNonNull(cached, "no step has cached an engine");
    }
}
