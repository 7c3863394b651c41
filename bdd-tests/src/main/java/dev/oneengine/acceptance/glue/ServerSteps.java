package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.DatabaseUnderTest;
import io.cucumber.java.en.Then;
import java.time.Duration;

/** Steps about the PostgreSQL server. Confined to the thread of the scenario. */
public final class ServerSteps {
    /** A server notices within milliseconds that a client has closed its connection. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Databases databases;

    public ServerSteps(World world) {
        databases = world.databases();
    }

    @Then("the server has no connection to {string}")
    public void noConnection(String database) {
        DatabaseUnderTest server = databases.get(database).underTest();
        Poll.until(LIMIT, () -> "there are connections to " + database, () -> server.connections() == 0);
    }
}
