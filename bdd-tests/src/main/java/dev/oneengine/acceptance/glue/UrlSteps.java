package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertSays;
import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.EngineUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps about the messages of failures. Confined to the thread of the scenario. */
public final class UrlSteps {
    private final Databases databases;
    private final Caches caches;
    private final Engines engines;
    private final Caller caller;
    private @Nullable EngineUnderTest kept;

    public UrlSteps(World world) {
        databases = world.databases();
        caches = world.caches();
        engines = world.engines();
        caller = world.caller();
    }

    @When("a caller asks for the engine of the URL {string}")
    public void asks(String url) {
        caller.attempt(() -> caches.first().engine(url));
    }

    @Then("the failure contains {string}")
    public void says(String part) {
        assertSays(caller.failure(), part);
    }

    @Then("the failure names the URL of {string}")
    public void namesUrl(String database) {
        assertSays(caller.failure(), databases.get(database).key());
    }

    @Then("the failure does not contain {string}")
    public void doesNotShow(String secret) {
        assertThat(Failures.text(caller.failure())).doesNotContain(secret);
    }

    @Given("a caller keeps the data source of {string} after the engine was closed")
    public void keepsDataSource(String database) throws Exception {
        kept = engines.of(database).get();
        kept.close();
    }

    @When("the caller uses the data source")
    public void usesDataSource() {
        caller.attempt(() -> Objects.requireNonNull(kept).sql("SELECT 1"));
    }
}
