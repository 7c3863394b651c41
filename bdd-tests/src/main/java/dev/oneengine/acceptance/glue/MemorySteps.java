package dev.oneengine.acceptance.glue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Steps about the connections of one database. For the thread of the scenario. */
public final class MemorySteps {
    private final World world;
    private final List<List<String>> tablesSeen = new ArrayList<>();

    public MemorySteps(World world) {
        this.world = world;
    }

    @Given("{string} has a table of items")
    public void hasTable(String database) {
        world.change(database, Items::createTable);
    }

    @Given("{string} has the item {string}")
    public void hasItem(String database, String item) {
        world.change(database, dataSource -> Items.add(dataSource, item));
    }

    @When("a table is created on one of {int} open connections to {string}")
    public void tableOnOneConnection(int connections, String database) {
        world.change(database, dataSource -> {
            List<Connection> open = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    open.add(dataSource.getConnection());
                }
                Items.createTable(open.get(0));
                for (Connection connection : open) {
                    tablesSeen.add(Jdbc.tables(connection));
                }
            } finally {
                for (Connection connection : open) {
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
        assertThat(tablesSeen)
                .hasSize(connections)
                .allSatisfy(tables -> assertThat(tables).contains(Items.TABLE));
    }

    /** No new one is asked for before the old one is closed, as that would keep the database alive. */
    @When("all connections to {string} are closed and opened again")
    public void renewConnections(String database) {
        EngineUnderTest engine = world.engine(database).get();
        world.expect(() -> {
            Connection old = physical(engine.dataSource());
            engine.closeIdleConnections();
            Poll.until(() -> "the connection is not closed that the pool was to close", old::isClosed);
            return physical(engine.dataSource());
        });
    }

    /** What stands behind a connection of a pool. */
    private static Connection physical(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return connection.unwrap(Connection.class);
        }
    }

    @When("a second cache creates the table of items in its database of the same URL as {string}")
    public void tableInOtherCache(String database) throws Exception {
        CacheUnderTest other = world.addCache();
        String url = world.database(database).url();
        world.expect(() -> {
            Items.createTable(EngineSeen.engine(other.engine(url)).get().dataSource());
            return true;
        });
    }

    @Then("{string} has no table of items")
    public void hasNoTable(String database) {
        assertThat(world.query(database, Jdbc::tables)).doesNotContain(Items.TABLE);
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
        DataSource dataSource = world.engine(database).get().dataSource();
        List<Worker<Boolean>> writers = new Writers(threads).run(world.crew(), dataSource, times, meet);
        world.attempt(() -> writers.stream().map(Worker::result).toList());
    }

    @Then("no writer fails")
    public void nobodyFails() {
        assertThat(world.failure()).isNull();
    }

    @Then("{string} has {int} item(s)")
    public void hasItems(String database, int items) {
        assertThat(world.query(database, Items::all)).hasSize(items);
    }
}
