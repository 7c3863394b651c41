package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.ConnectionUnderTest;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Steps about calls that only the unit of a transaction may make. Confined to the thread of the scenario. */
public final class GuardSteps {
    private final Crew crew;
    private final Units units;
    private final List<String> refusals = new ArrayList<>();

    public GuardSteps(World world, Units units) {
        crew = world.crew();
        this.units = units;
    }

    @When("a unit of work adds {string} and a participant calls {word} on the connection")
    public void triesTo(String item, String what) {
        units.run(tx -> {
            ConnectionUnderTest connection = tx.connection();
            Items.add(connection, item);
            try {
                end(connection, what);
            } catch (Exception e) {
                refusals.add(Failures.text(e));
            }
        });
    }

    private static void end(ConnectionUnderTest connection, String how) throws Exception {
        switch (how) {
            case "commit" -> connection.commit();
            case "rollback" -> connection.rollback();
            case "close" -> connection.close();
            default -> connection.switchToAutoCommit();
        }
    }

    @Then("the connection rejects the attempt")
    public void refused() {
        assertThat(refusals).as("the rejected calls").hasSize(1);
    }

    @When("a unit of work adds {string} and another thread tries to use the connection")
    public void anotherThread(String item) {
        units.run(tx -> {
            ConnectionUnderTest connection = tx.connection();
            Items.add(connection, item);
            Callable<List<String>> use = () -> Items.all(connection);
            Throwable failure = crew.start("another thread", use).failure();
            if (failure != null) {
                refusals.add(Failures.text(failure));
            }
        });
    }

    @When("a unit of work adds {string} and its engine is closed")
    public void engineClosed(String item) {
        units.run(tx -> {
            Items.add(tx.connection(), item);
            units.engine().close();
            Items.add(tx.connection(), item + " too");
        });
    }
}
