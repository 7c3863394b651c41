package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.WorkUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Steps about single units of work and their outcomes. Confined to the thread of the scenario. */
public final class UnitSteps {
    private final Crew crew;
    private final Caller caller;
    private final Units units;
    private final AtomicInteger runs = new AtomicInteger();

    public UnitSteps(World world, Units units) {
        crew = world.crew();
        caller = world.caller();
        this.units = units;
    }

    @Given("units of work on {string}")
    public void unitsOn(String name) throws Exception {
        units.create(name);
    }

    @When("a unit of work adds {string} and {string}")
    public void adds(String one, String other) {
        units.run(tx -> {
            Items.add(tx.connection(), one);
            Items.add(tx.connection(), other);
        });
    }

    @When("a unit of work adds {string} and then fails")
    public void addsAndFails(String item) {
        units.run(Units.addingAndFailing(item));
    }

    @When("a unit of work adds {string} and then a second {string}")
    public void addsTwice(String item, String other) {
        units.run(tx -> {
            runs.incrementAndGet();
            Items.add(tx.connection(), item);
            Items.add(tx.connection(), other);
        });
    }

    @When("a transaction begun by hand adds {string} and is committed")
    public void byHandCommitted(String item) {
        units.attempt(() -> byHand(item, WorkUnderTest.ByHand::commit));
    }

    @When("a transaction begun by hand adds {string} and is closed without a commit")
    public void byHandLeftOpen(String item) {
        units.attempt(() -> byHand(item, transaction -> {}));
    }

    private void byHand(String item, End end) throws Exception {
        WorkUnderTest.ByHand transaction = units.work().begin();
        try {
            Items.add(transaction.connection(), item);
            end.of(transaction);
        } finally {
            transaction.close();
        }
    }

    @FunctionalInterface
    private interface End {
        void of(WorkUnderTest.ByHand transaction) throws Exception;
    }

    @Then("the items are {string}")
    public void itemsAre(String names) {
        assertThat(units.items()).isEqualTo(List.of(names.split(", ")));
    }

    @Then("there are no items")
    public void noItems() {
        assertThat(units.items()).isEmpty();
    }

    @Then("the call succeeds")
    public void noFailure() {
        assertThat(caller.failure()).isNull();
    }

    @Then("the call fails")
    public void someFailure() {
        assertThat(caller.failure()).isNotNull();
    }

    @Then("the caller gets the failure of the unit")
    public void failureOfThePart() {
        Units.assertIsOfThePart(caller.failure());
    }

    @When("two units of work count the items at the same moment and each adds its count as an item")
    public void conflict() {
        CountDownLatch bothHaveRead = new CountDownLatch(2);
        CountDownLatch oneIsDone = new CountDownLatch(1);
        List<Worker<Boolean>> workers = crew.race(2, all -> {}, i -> {
            AtomicInteger attempts = new AtomicInteger();
            try {
                units.work().run(tx -> {
                    runs.incrementAndGet();
                    boolean again = attempts.incrementAndGet() > 1;
                    if (again) {
                        // The database reports the conflict while the other unit is about to commit.
                        // Wait for that commit, so that the retry meets no second conflict.
                        await(oneIsDone);
                    }
                    int number = Items.all(tx.connection()).size();
                    if (!again) {
                        bothHaveRead.countDown();
                        await(bothHaveRead);
                    }
                    Items.add(tx.connection(), "number " + number);
                });
            } finally {
                oneIsDone.countDown();
            }
            return true;
        });
        caller.attempt(() -> workers.stream().map(Worker::result).toList());
    }

    private static void await(CountDownLatch others) {
        Poll.until(() -> "not all units of work have arrived", () -> others.getCount() == 0);
    }

    @Then("there have been at least {int} runs")
    public void manyRuns(int number) {
        assertThat(runs.get()).isAtLeast(number);
    }

    @Then("there has/have been {int} run(s)")
    public void runs(int number) {
        assertThat(runs.get()).as("runs of the unit").isEqualTo(number);
    }
}
