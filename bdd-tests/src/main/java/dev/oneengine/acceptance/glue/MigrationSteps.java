package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertSays;
import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.MigrationsUnderTest;
import io.cucumber.java.After;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Steps about migrations with two scripts: one creates a table, the other adds an item. Confined to the thread of the scenario.
 */
public final class MigrationSteps {
    private static final String FIRST = "V1__create_table.sql";
    private static final String SECOND = "V2__add_item.sql";
    private static final String MAKE_TABLE = "CREATE TABLE item(name VARCHAR(100));\n";

    private final Databases databases;
    private final Caches caches;
    private final Engines engines;
    private final Race race;
    private final Caller caller;
    private final Path scripts;
    private List<EngineUnderTest> forks = List.of();
    private List<String> reported = List.of();

    public MigrationSteps(World world) throws IOException {
        databases = world.databases();
        caches = world.caches();
        engines = world.engines();
        race = world.race();
        caller = world.caller();
        scripts = Files.createDirectory(databases.folder().resolve("scripts"));
        Files.writeString(scripts.resolve(FIRST), MAKE_TABLE);
        Files.writeString(scripts.resolve(SECOND), "INSERT INTO item VALUES ('migrated');\n");
    }

    private MigrationsUnderTest migrations(String database) throws Exception {
        return caches.first().migrations(databases.get(database).url(), scripts);
    }

    private boolean migrate(String database) throws Exception {
        migrations(database).migrate();
        return true;
    }

    @Given("{string} is migrated")
    public void migrated(String database) {
        caller.expect(() -> migrate(database));
    }

    @Given("the first script fails after it has created its table")
    public void scriptFails() throws IOException {
        Files.writeString(scripts.resolve(FIRST), MAKE_TABLE + "INSERT INTO nowhere VALUES ('x');\n");
    }

    @When("{int} migration runners migrate {string} at the same moment")
    public void race(int runners, String database) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        race.run(database, runners, i -> {
            MigrationsUnderTest migrations = cache.migrations(url, scripts);
            migrations.migrate();
            return EngineSeen.identity(migrations.engine());
        });
    }

    @When("{int} units of work that need the migrations open {string} at the same moment")
    public void raceOfUnits(int units, String database) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        race.run(database, units, i -> Opened.unit(cache.work(url, scripts)));
    }

    @When("a migration runner migrates {string}")
    public void migrates(String database) {
        caller.attempt(() -> migrate(database));
    }

    @When("a caller asks for the pending scripts of {string}")
    public void asksPending(String database) {
        reported = caller.expect(() -> migrations(database).pending());
    }

    @When("a caller asks for the status of {string}")
    public void asksStatus(String database) {
        reported = caller.expect(() -> migrations(database).status());
    }

    @Then("both scripts are listed")
    public void bothTold() {
        assertThat(reported).hasSize(2);
        assertThat(reported.get(0)).contains(FIRST);
        assertThat(reported.get(1)).contains(SECOND);
    }

    @Then("no script is listed")
    public void noneTold() {
        assertThat(reported).isEmpty();
    }

    @Then("{string} has no tables")
    public void hasNoTables(String database) {
        assertThat(engines.tables(database)).isEmpty();
    }

    @Then("the migration succeeds")
    public void succeeds() {
        assertThat(caller.failure()).isNull();
    }

    @Then("each script has run once on {string}")
    public void scriptsOnce(String database) {
        assertThat(engines.query(database, Items::all)).containsExactly("migrated");
    }

    @Then("the failure names the first script")
    public void failureNamesScript() {
        assertSays(caller.failure(), FIRST);
    }

    @Given("a migration runner has failed to migrate {string}")
    public void hasFailed(String database) {
        migrates(database);
        assertThat(caller.failure()).as("the failure of the first script").isNotNull();
    }

    @When("the first script is fixed")
    public void fixed() throws IOException {
        Files.writeString(scripts.resolve(FIRST), MAKE_TABLE);
    }

    @When("two forks of {string} are made")
    public void forks(String database) {
        forks = caller.expect(() -> migrations(database).forks(2));
    }

    @When("the item {string} is added to the first fork")
    public void addToFirstFork(String item) {
        caller.expect(() -> {
            Items.add(forks.get(0), item);
            return true;
        });
    }

    @Then("the {word} fork has the items {string}")
    public void itemsOfFork(String which, String items) {
        EngineUnderTest fork = forks.get(which.equals("first") ? 0 : 1);
        assertThat(caller.expect(() -> Items.all(fork))).isEqualTo(List.of(items.split(", ")));
    }

    @After(order = 20_000) // before the caches are closed
    public void closeForks() throws Exception {
        for (EngineUnderTest fork : forks) {
            fork.close();
        }
    }
}
