package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Way.Tally;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The ways of all comparisons of transactions and queries. Stateless and thread-safe. */
final class Transactions {
    private static final Ways ORDERS = new Ways(Tasks.ORDER);
    private static final Ways UPDATES = new Ways(Tasks.UPDATE);
    private static final Ways ROWS = new Ways(Tasks.ROW);

    private Transactions() {}

    static List<Way> orders(Databases databases) throws SQLException {
        return allTools(ORDERS, databases);
    }

    static List<Way> updates(Databases databases) throws SQLException {
        List<Way> ways = allTools(UPDATES, databases);
        ways.add(UPDATES.autoCommit(databases.onDriver(Database.MEMORY)));
        ways.add(UPDATES.autoCommit(databases.onEngine(Database.MEMORY)));
        return ways;
    }

    private static List<Way> allTools(Ways ways, Databases databases) throws SQLException {
        List<Way> all = new ArrayList<>();
        all.add(ways.plain(databases.onDriver(Database.MEMORY)));
        all.add(ways.kept(databases.onDriver(Database.MEMORY), databases));
        all.add(ways.unit(databases.onEngine(Database.MEMORY)));
        all.add(ways.plain(databases.onEngine(Database.MEMORY)));
        all.add(ways.spring(databases.onDriver(Database.MEMORY)));
        all.add(ways.spring(databases.onEngine(Database.MEMORY)));
        all.add(ways.jdbi(databases.onDriver(Database.MEMORY)));
        all.add(ways.jdbi(databases.onEngine(Database.MEMORY)));
        all.add(ways.jooq(databases.onDriver(Database.MEMORY)));
        all.add(ways.jooq(databases.onEngine(Database.MEMORY)));
        all.add(ways.h2(databases.onH2()));
        return all;
    }

    static List<Way> ordersInFile(Databases databases) throws SQLException, IOException {
        return List.of(
                ORDERS.plain(databases.onDriver(Database.FILE)),
                DiskAlone.way(databases),
                ORDERS.kept(databases.onDriver(Database.FILE), databases),
                ORDERS.unit(databases.onEngine(Database.FILE)),
                ORDERS.plain(databases.onEngine(Database.FILE)),
                ORDERS.spring(databases.onDriver(Database.FILE)),
                ORDERS.spring(databases.onEngine(Database.FILE)));
    }

    /** Writers that conflict. On connections of the driver itself, their work may fail. */
    static List<Way> writers(Databases databases, Database kind) throws SQLException {
        return List.of(
                ORDERS.plain(databases.onDriver(kind)).thatMayFail(),
                ORDERS.unit(databases.onEngine(kind)),
                ORDERS.plain(databases.onEngine(kind)),
                ORDERS.spring(databases.onDriver(kind)).thatMayFail(),
                ORDERS.spring(databases.onEngine(kind)));
    }

    static List<Way> ordersOnPostgres(Databases databases) throws SQLException {
        EngineSettings serialisable =
                EngineSettings.builder().isolation(Isolation.SERIALIZABLE).build();
        return List.of(
                ORDERS.retrying(databases.onDriver(Database.POSTGRESQL)),
                ORDERS.unit(databases.onEngine(Database.POSTGRESQL)),
                ORDERS.retrying(databases.onEngine(Database.POSTGRESQL, serialisable)));
    }

    /** The cost of setting the isolation in each transaction. */
    static List<Way> isolation(Databases databases, Task updates) throws SQLException {
        Ways ways = new Ways(updates);
        return List.of(
                ways.plain(databases.onDriver(Database.POSTGRESQL)),
                ways.unit(databases.onEngine(Database.POSTGRESQL)),
                ways.plainWith(
                        "plain JDBC with SET TRANSACTION",
                        databases.onPostgresByDefault(),
                        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
    }

    static List<Way> row(Databases databases) throws SQLException {
        return List.of(
                ROWS.plain(databases.onDriver(Database.MEMORY)),
                ROWS.autoCommit(databases.onDriver(Database.MEMORY)),
                ROWS.read(databases.onEngine(Database.MEMORY)),
                ROWS.plain(databases.onEngine(Database.MEMORY)),
                ROWS.autoCommit(databases.onEngine(Database.MEMORY)),
                ROWS.spring(databases.onDriver(Database.MEMORY)),
                ROWS.spring(databases.onEngine(Database.MEMORY)),
                ROWS.jdbi(databases.onDriver(Database.MEMORY)),
                ROWS.jdbi(databases.onEngine(Database.MEMORY)));
    }

    static List<Way> rows(Databases databases) throws SQLException {
        Ways ways = new Ways(Tasks.ROWS);
        return List.of(
                ways.plain(databases.onDriver(Database.MEMORY)),
                ways.read(databases.onEngine(Database.MEMORY)),
                ways.plain(databases.onEngine(Database.MEMORY)),
                ways.spring(databases.onDriver(Database.MEMORY)),
                ways.spring(databases.onEngine(Database.MEMORY)),
                ways.jdbi(databases.onDriver(Database.MEMORY)),
                ways.jdbi(databases.onEngine(Database.MEMORY)));
    }

    static List<Way> inserts(Databases databases) throws SQLException {
        Ways ways = new Ways(Tasks.INSERTS);
        return List.of(
                ways.plain(databases.onDriver(Database.MEMORY)),
                ways.unit(databases.onEngine(Database.MEMORY)),
                ways.plain(databases.onEngine(Database.MEMORY)),
                ways.spring(databases.onDriver(Database.MEMORY)),
                ways.spring(databases.onEngine(Database.MEMORY)),
                ways.jdbi(databases.onDriver(Database.MEMORY)),
                ways.jdbi(databases.onEngine(Database.MEMORY)));
    }

    /** Readers of a file while another thread writes. */
    static List<Way> readers(Databases databases) throws SQLException {
        Store driver = databases.onDriver(Database.FILE);
        Store engine = databases.onEngine(Database.FILE);
        Store forPlain = databases.onEngine(Database.FILE);
        return List.of(
                besideWriter(ROWS.autoCommit(driver), UPDATES.plain(driver)),
                besideWriter(ROWS.read(engine), UPDATES.unit(engine)),
                besideWriter(ROWS.autoCommit(forPlain), UPDATES.plain(forPlain)));
    }

    private static Way besideWriter(Way reader, Way writer) {
        return reader.besides(writer.work()).checkedBy(tally -> writer.check().check(new Tally(tally.beside(), 0, 0)));
    }
}
