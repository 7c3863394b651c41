package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertSays;
import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.DatabaseKind;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps about the engines that callers get. Confined to the thread of the scenario. */
public final class CacheSteps {
    private final Databases databases;
    private final Creations creations;
    private final Caches caches;
    private final Engines engines;
    private final NamedThreads threads;
    private final Race race;
    private final Crew crew;
    private final Caller caller;
    private final ForeignLockHolder foreignLockHolder;
    private final List<Worker<Boolean>> waiting = new ArrayList<>();
    private @Nullable EngineSeen cached;

    public CacheSteps(World world) {
        databases = world.databases();
        creations = world.creations();
        caches = world.caches();
        engines = world.engines();
        threads = world.threads();
        race = world.race();
        crew = world.crew();
        caller = world.caller();
        foreignLockHolder = world.foreignLockHolder();
    }

    @Given("a/an {kind} database {string}")
    public void database(DatabaseKind kind, String name) throws Exception {
        databases.add(kind, name);
    }

    @Given("the unnamed in-memory database, called {string} here")
    public void namelessDatabase(String name) throws Exception {
        databases.add(DatabaseKind.NAMELESS, name);
    }

    @Given("an in-memory database {string} whose URL has the same hash code as that of {string}")
    public void databasesOfOneHashCode(String one, String other) throws Exception {
        databases.addWithOneHashCode(one, other);
    }

    @Given("the engine of {string} is cached")
    public void cached(String database) throws Exception {
        cached = engines.of(database);
    }

    @Given("the first attempt to create the engine of {string} fails")
    public void firstAttemptFails(String database) {
        creations.of(database).failNext(1);
    }

    @Given("thread {word} is creating the engine of {string}")
    public void busy(String thread, String database) {
        CreationGate gate = creations.of(database);
        gate.hold();
        Worker<EngineSeen> worker = threads.ask(thread, database);
        worker.awaitEndOr(() -> gate.isInside(worker));
        assertThat(gate.isInside(worker))
                .as("the cache must call Creation.begins when it creates an engine")
                .isTrue();
    }

    /**
     * Returns when the call has ended. While the scenario holds the creation, it also returns once the call waits or
     * creates an engine.
     */
    @Given("thread {word} has asked for the engine of {string}")
    public void hasAsked(String thread, String database) {
        Worker<EngineSeen> worker = threads.ask(thread, database);
        worker.awaitEndOr(() -> creations.of(database).isHeld() && (creations.isInside(worker) || worker.isWaiting()));
    }

    @Given("thread {word} has closed the cache")
    public void hasClosed(String thread) {
        closes(thread);
    }

    @Given("an outside thread holds the monitors of the cache, its class and the URL of {string}")
    public void locksAreHeld(String database) throws Exception {
        foreignLockHolder.hold(databases.get(database).url(), caches.first().identity());
    }

    @Given("an outside thread holds the monitors of the cache, its class, the URL and the engine of {string}")
    public void locksAreHeldBesideEngine(String database) throws Exception {
        foreignLockHolder.hold(
                databases.get(database).url(),
                caches.first().identity(),
                engines.of(database).identity());
    }

    @When("thread {word} asks for the engine of {string}")
    public void asks(String thread, String database) {
        threads.ask(thread, database);
    }

    @When("thread {word} evicts the engine of {string}")
    public void evicts(String thread, String database) {
        String url = databases.get(database).url();
        startAndLetWait(thread, () -> caches.first().evict(url));
    }

    @When("thread {word} closes the cache")
    public void closes(String thread) {
        startAndLetWait(thread, caches.first()::close);
    }

    /** Waits for the end of the thread, or until the thread waits for a creation that the scenario holds back. */
    private void startAndLetWait(String thread, Units.Action action) {
        Worker<Boolean> worker = crew.start(thread, () -> {
            action.run();
            return true;
        });
        worker.awaitEndOr(() -> creations.isAnyThreadInside() && worker.isWaiting());
        if (worker.isDone()) {
            worker.result();
        } else {
            waiting.add(worker);
        }
    }

    /** An eviction or a close of the cache that waited for the creation must not fail. */
    @When("thread {word} finishes creating the engine of {string}")
    public void finishesCreating(String thread, String database) {
        assertThat(creations.of(database).isInside(threads.get(thread)))
                .as("thread " + thread + " is creating")
                .isTrue();
        creations.of(database).release();
        waiting.forEach(Worker::result);
        crew.awaitEnd();
    }

    @Then("{int} engine(s) has/have been created for {string}")
    public void created(int number, String database) {
        assertThat(creations.of(database).visits()).as("engines created").isEqualTo(number);
    }

    @Then("all threads have the cached engine")
    public void cachedEngine() {
        race.racers()
                .forEach(racer -> assertThat(racer.result().identity())
                        .as("the engine of " + racer.name())
                        .isEqualTo(cached().identity()));
    }

    @Then("thread {word} waits")
    public void waits(String thread) {
        Worker<EngineSeen> worker = threads.get(thread);
        worker.awaitEndOr(() -> creations.isInside(worker) || worker.isWaiting());
        assertThat(creations.isInside(worker))
                .as("thread " + thread + " creates a separate engine")
                .isFalse();
        assertThat(worker.isDone()).as("thread " + thread + " is done").isFalse();
    }

    @Then("thread {word} gets an engine while thread {word} is still creating")
    public void hasEngineMeanwhile(String thread, String busy) {
        Worker<EngineSeen> worker = threads.get(thread);
        Thread other = threads.get(busy).thread();
        worker.awaitEndOr(() -> worker.isBlockedBy(other));
        assertThat(worker.isDone())
                .as("thread " + thread + " got an engine without waiting for thread " + busy)
                .isTrue();
        caller.expect(() -> Opened.use(worker.result()));
        assertThat(threads.get(busy).isDone()).isFalse();
    }

    @Then("thread {word} gets an engine while the outside thread holds the monitors")
    public void hasEngineDespiteLocks(String thread) {
        Worker<EngineSeen> worker = threads.get(thread);
        worker.awaitEndOr(() -> worker.isBlockedBy(foreignLockHolder.thread()));
        assertThat(worker.isDone())
                .as("thread " + thread + " got an engine without waiting for a lock that other code can hold")
                .isTrue();
        caller.expect(() -> Opened.use(worker.result()));
    }

    @Then("thread {word} has the same engine as thread {word}")
    public void sameEngineAs(String thread, String other) {
        assertThat(threads.get(thread).result().identity())
                .as("the engine of thread " + thread)
                .isEqualTo(threads.get(other).result().identity());
    }

    @Then("thread {word} has an engine")
    public void hasEngine(String thread) {
        assertThat(threads.get(thread).result()).isNotNull();
    }

    @Then("thread {word} has another engine than the cached one")
    public void hasAnotherEngine(String thread) {
        assertThat(threads.get(thread).result().identity()).isNotEqualTo(cached().identity());
    }

    @Then("the engine of thread {word} works")
    public void engineWorks(String thread) {
        caller.expect(() -> Opened.use(threads.get(thread).result()));
    }

    @Then("thread {word} gets a failure")
    public void getsAnyFailure(String thread) {
        assertThat(threads.get(thread).failure())
                .as("a failure of thread " + thread)
                .isNotNull();
    }

    @Then("thread {word} gets the failure of the creation")
    public void getsFailure(String thread) {
        assertSays(threads.get(thread).failure(), CreationGate.FAILURE);
    }

    @Then("the cached engine is closed")
    public void cachedIsClosed() {
        assertThat(caller.expect(() -> cached().get().isClosed()))
                .as("the cached engine is closed")
                .isTrue();
    }

    @Then("thread {word} has no open engine")
    public void hasNoOpenEngine(String thread) {
        Worker<EngineSeen> worker = threads.get(thread);
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
