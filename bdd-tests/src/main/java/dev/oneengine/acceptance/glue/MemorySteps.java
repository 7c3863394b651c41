package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.ArrayList;
import java.util.List;

/** Steps about the connections of one database. Confined to the thread of the scenario. */
public final class MemorySteps {
    private final Databases databases;
    private final Caches caches;
    private final Engines engines;
    private final Crew crew;
    private final Caller caller;
    private final List<List<String>> tablesSeen = new ArrayList<>();

    public MemorySteps(World world) {
        databases = world.databases();
        caches = world.caches();
        engines = world.engines();
        crew = world.crew();
        caller = world.caller();
    }

    @Given("{string} has a table of items")
    public void hasTable(String database) {
        engines.change(database, Items::createTable);
    }

    @Given("{string} has the item {string}")
    public void hasItem(String database, String item) {
        engines.change(database, engine -> Items.add(engine, item));
    }

    @When("a table is created on one of {int} open connections to {string}")
    public void tableOnOneConnection(int connections, String database) {
        String tables = databases.get(database).underTest().tablesQuery();
        engines.change(database, engine -> {
            List<ConnectionUnderTest> open = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    open.add(engine.connect());
                }
                Items.createTable(open.get(0));
                for (ConnectionUnderTest connection : open) {
                    tablesSeen.add(connection.sql(tables));
                }
            } finally {
                for (ConnectionUnderTest connection : open) {
                    connection.close();
                }
            }
        });
    }

    @When("the table of items is created in {string}")
    public void createTable(String database) {
        hasTable(database);
    }

    @Then("all {int} connections find the table")
    public void allFindTable(int connections) {
        assertThat(tablesSeen).hasSize(connections);
        tablesSeen.forEach(tables -> assertThat(tables).contains(Items.TABLE));
    }

    /**
     * A temporary table belongs to its connection, so its absence proves that the engine has replaced the connection. An
     * unwrapped object proves nothing, because it may be another wrapper.
     */
    @When("all connections to {string} are closed and opened again")
    public void renewConnections(String database) {
        EngineUnderTest engine = engines.of(database).get();
        caller.expect(() -> {
            engine.sql("CREATE TEMPORARY TABLE mark(x INTEGER)");
            engine.closeIdleConnections();
            assertThat(hasMark(engine))
                    .as("a connection is still open after EngineUnderTest.closeIdleConnections")
                    .isFalse();
            return true;
        });
    }

    private static boolean hasMark(EngineUnderTest engine) throws Exception {
        ConnectionUnderTest connection = engine.connect();
        try {
            connection.sql("SELECT x FROM mark");
            return true;
        } catch (Exception e) {
            return false;
        } finally {
            connection.close();
        }
    }

    @When("a second cache creates the table of items through the URL of {string}")
    public void tableInOtherCache(String database) throws Exception {
        CacheUnderTest other = caches.add();
        String url = databases.get(database).url();
        caller.expect(() -> {
            Items.createTable(EngineSeen.engine(other.engine(url)).get());
            return true;
        });
    }

    @Then("{string} has no table of items")
    public void hasNoTable(String database) {
        assertThat(engines.tables(database)).doesNotContain(Items.TABLE);
    }

    @When("{int} threads read {string} at the same moment and then write to it, {int} times")
    public void readAndWrite(int threads, String database, int times) {
        write(threads, database, times, true);
    }

    @When("{int} threads read and write {string} without a pause, {int} times")
    public void readAndWriteFast(int threads, String database, int times) {
        write(threads, database, times, false);
    }

    private void write(int threads, String database, int times, boolean meet) {
        EngineUnderTest engine = engines.of(database).get();
        List<Worker<Boolean>> writers = new Writers(threads).run(crew, engine, times, meet);
        caller.attempt(() -> writers.stream().map(Worker::result).toList());
    }

    @Then("no writer fails")
    public void noWriterFails() {
        assertThat(caller.failure()).isNull();
    }

    @Then("{string} has {int} item(s)")
    public void hasItems(String database, int items) {
        assertThat(engines.query(database, Items::all)).hasSize(items);
    }
}
