package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.EngineUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Steps about the messages of failures. Confined to the thread of the scenario. */
public final class UrlSteps {
    private final World world;
    private @Nullable EngineUnderTest kept;

    public UrlSteps(World world) {
        this.world = world;
    }

    @When("a caller asks for the engine of the URL {string}")
    public void asks(String url) {
        world.attempt(() -> world.cache().engine(url));
    }

    @Then("the failure contains {string}")
    public void says(String part) {
        Failures.assertSays(world.failure(), part);
    }

    @Then("the failure names the URL of {string}")
    public void namesUrl(String database) {
        Failures.assertSays(world.failure(), world.database(database).key());
    }

    @Then("the failure does not contain {string}")
    public void doesNotShow(String secret) {
        assertThat(Failures.text(world.failure())).doesNotContain(secret);
    }

    @Given("a caller keeps the data source of {string} after the engine was closed")
    public void keepsDataSource(String database) throws Exception {
        kept = world.engine(database).get();
        kept.close();
    }

    @When("the caller uses the data source")
    public void usesDataSource() {
        world.attempt(() -> Objects.requireNonNull(kept).sql("SELECT 1"));
    }
}
