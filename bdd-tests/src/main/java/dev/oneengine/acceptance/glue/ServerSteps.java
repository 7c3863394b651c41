package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.DatabaseUnderTest;
import io.cucumber.java.en.Then;

/** Steps about the PostgreSQL server. For the thread of the scenario. */
public final class ServerSteps {
    private final World world;

    public ServerSteps(World world) {
        this.world = world;
    }

    @Then("the server has no connection to {string}")
    public void noConnection(String database) {
        DatabaseUnderTest server = world.database(database).underTest();
        Poll.until(() -> "there are connections to " + database, () -> server.connections() == 0);
    }
}
