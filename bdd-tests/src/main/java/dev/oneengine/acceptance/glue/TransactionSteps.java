package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.TransactionUnderTest;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.ArrayList;
import java.util.List;

/** Steps about readers, hooks and repositories. Confined to the thread of the scenario. */
public final class TransactionSteps {
    private final Units units;
    private final List<String> hooksRun = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();

    public TransactionSteps(Units units) {
        this.units = units;
    }

    /** A repository that takes part in a unit. */
    private record Repository(ConnectionUnderTest connection) {
        void add(String item) throws Exception {
            Items.add(connection, item);
        }
    }

    @When("a read-only unit reads the items")
    public void reads() {
        units.attempt(() -> units.work().read(tx -> seen.addAll(Items.all(tx.connection()))));
    }

    @When("a read-only unit tries to add {string}")
    public void readerWrites(String item) {
        units.attempt(() -> units.work().read(Units.adding(item)));
    }

    @Then("the read-only unit has seen the items {string}")
    public void hasSeen(String names) {
        assertThat(seen).isEqualTo(List.of(names.split(", ")));
    }

    @When("a unit of work with hooks adds {string}")
    public void withHooks(String item) {
        units.run(tx -> {
            addHooks(tx);
            Items.add(tx.connection(), item);
        });
    }

    @When("a unit of work with hooks adds {string} and then fails")
    public void withHooksFails(String item) {
        units.run(tx -> {
            addHooks(tx);
            Items.add(tx.connection(), item);
            throw Units.failure();
        });
    }

    @When("a unit of work adds {string} and survives the failure of a nested transaction with hooks")
    public void withHooksOfNestedPart(String item) {
        units.run(tx -> {
            Items.add(tx.connection(), item);
            Units.swallow(() -> tx.nested(part -> {
                addHooks(part);
                Items.add(part.connection(), "lost");
                throw Units.failure();
            }));
            assertNoHookHasRun();
        });
    }

    private void addHooks(TransactionUnderTest tx) throws Exception {
        tx.afterCommit(() -> look("after commit"));
        tx.afterRollback(() -> look("after rollback"));
        assertNoHookHasRun();
    }

    private void assertNoHookHasRun() {
        assertThat(hooksRun).as("hooks that have run before the end").isEmpty();
    }

    /** A hook may begin a unit of work, which sees the outcome of the first one. */
    private void look(String when) {
        try {
            hooksRun.add(when);
            units.work().run(tx -> seen.addAll(Items.all(tx.connection())));
        } catch (Exception e) {
            throw new IllegalStateException("A unit of work in a hook failed", e);
        }
    }

    @Then("only the hook {string} has run")
    public void hookHasRun(String when) {
        assertThat(hooksRun).containsExactly(when);
    }

    @Then("the hook has seen the items {string}")
    public void hookHasSeen(String items) {
        assertThat(seen).isEqualTo(List.of(items.split(", ")));
    }

    @Then("the hook has seen no items")
    public void hookHasSeenNothing() {
        assertThat(seen).isEmpty();
    }

    @When("a unit of work adds {string} and {string} through its repository")
    public void throughRepository(String one, String other) {
        units.run(tx -> addThroughRepository(tx, one, other));
    }

    @When("a unit of work adds {string} and {string} through its repository and then fails")
    public void throughRepositoryFails(String one, String other) {
        units.run(tx -> {
            addThroughRepository(tx, one, other);
            throw Units.failure();
        });
    }

    private static void addThroughRepository(TransactionUnderTest tx, String one, String other) throws Exception {
        Repository repository = tx.repository(Repository.class, Repository::new);
        repository.add(one);
        Repository again = tx.repository(Repository.class, Repository::new);
        assertThat(again).as("the repository of a transaction").isSameAs(repository);
        again.add(other);
    }
}
