package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Comparison.Opening;
import dev.oneengine.benchmark.Comparison.Pace;
import dev.oneengine.benchmark.Comparison.Unit;
import dev.oneengine.testing.Database;
import java.util.List;

/** All comparisons, in the order of the page. Immutable and thread-safe. */
final class Comparisons {
    private static final Unit ORDERS = Unit.perMillisecond("orders");
    private static final Unit UNITS = Unit.perMillisecond("transactions");
    private static final Unit READS = Unit.perMillisecond("reads");
    private static final Unit LOOKUPS = Unit.perMicrosecond("lookups");

    private static final List<Comparison> ALL = List.of(
            one("order-memory", "Order in memory", ORDERS, Ways.UNIT, 55, Transactions::orders),
            one("update-memory", "One update in memory", UNITS, Ways.UNIT, 65, Transactions::updates),
            waiting("order-file", "Order in a file", ORDERS, Ways.UNIT, 30, Transactions::ordersInFile),
            writers(8, "memory", Database.MEMORY),
            writers(64, "memory", Database.MEMORY),
            writers(8, "file", Database.FILE),
            one("row", "One row by its key", READS, Ways.READ, 45, Transactions::row),
            many("readers-file", "7 readers beside a writer of a file", READS, Ways.READ, 7, 50, Transactions::readers),
            one("rows", "1,000 rows of 4 columns", READS, Ways.READ, 35, Transactions::rows),
            one("inserts", "100 inserts", UNITS, Ways.UNIT, 35, Transactions::inserts),
            waiting("order-postgres", "Order on PostgreSQL", ORDERS, Ways.UNIT, 25, Transactions::ordersOnPostgres),
            many(
                    "order-postgres-8",
                    "Order on PostgreSQL, 8 writers",
                    ORDERS,
                    Ways.UNIT,
                    8,
                    55,
                    Transactions::ordersOnPostgres),
            waiting(
                    "isolation",
                    "One update on PostgreSQL",
                    UNITS,
                    Ways.UNIT,
                    25,
                    databases -> Transactions.isolation(databases, Tasks.UPDATE)),
            waiting(
                    "isolation-5",
                    "Five updates on PostgreSQL",
                    UNITS,
                    Ways.UNIT,
                    25,
                    databases -> Transactions.isolation(databases, Tasks.FIVE_UPDATES)),
            hits("hit", "Hit, 1 URL", 1, Hits::ofOne),
            hits("hit-2-threads", "Hit, 1 URL, 2 threads", 2, databases -> Hits.of(databases, 1)),
            hits("hit-16", "Hit, 16 URLs in turn", 1, databases -> Hits.of(databases, 16)),
            hits("hit-settings", "Hit with settings", 1, Hits::withSettings),
            hits("hit-after-threads", "Hit after 200 threads came and went", 1, Hits::afterThreads),
            time("creation", "Creation of 100 ms", Creation.LIBRARY, 35, Creation::ways),
            time("cold-start", "Cold start to the first commit", ColdStart.LIBRARY, 60, ColdStart::ways),
            forks(5),
            forks(100),
            crowd("crowd-forks", "Migrated databases side by side", Crowd.FORKS, Crowd.POOLS, Crowd.FORKS),
            crowd("crowd-engines", "Engines in memory", Crowd.ENGINES, Crowd.ENGINES));

    private Comparisons() {}

    static List<Comparison> all() {
        return ALL;
    }

    static Comparison of(String id) {
        return ALL.stream()
                .filter(comparison -> comparison.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no comparison " + id));
    }

    private static Comparison one(String id, String title, Unit unit, String library, int seconds, Opening opening) {
        return new Comparison(id, title, unit, library, 1, Pace.SHORT, seconds, Harness.rounds(opening));
    }

    private static Comparison waiting(
            String id, String title, Unit unit, String library, int seconds, Opening opening) {
        return new Comparison(id, title, unit, library, 1, Pace.WAITING, seconds, Harness.rounds(opening));
    }

    private static Comparison many(
            String id, String title, Unit unit, String library, int threads, int seconds, Opening opening) {
        return new Comparison(id, title, unit, library, threads, Pace.LONG, seconds, Harness.rounds(opening));
    }

    private static Comparison writers(int number, String place, Database kind) {
        String title = "Order in " + (kind == Database.FILE ? "a file" : place) + ", " + number + " writers";
        return many(
                "writers-" + number + "-" + place,
                title,
                ORDERS,
                Ways.UNIT,
                number,
                95,
                databases -> Transactions.writers(databases, kind));
    }

    private static Comparison hits(String id, String title, int threads, Opening opening) {
        return new Comparison(id, title, LOOKUPS, Hits.LIBRARY, threads, Pace.SHORT, 25, Harness.rounds(opening));
    }

    private static Comparison time(String id, String title, String library, int seconds, Opening opening) {
        return new Comparison(
                id, title, Unit.milliseconds(), library, 1, Pace.SINGLE, seconds, Harness.rounds(opening));
    }

    private static Comparison forks(int scripts) {
        String title = "Migrated database for a test, " + scripts + " scripts";
        return one(
                "fork-" + scripts,
                title,
                Unit.milliseconds(),
                Forks.LIBRARY,
                25,
                databases -> Forks.ways(databases, scripts));
    }

    private static Comparison crowd(String id, String title, String library, String... ways) {
        return new Comparison(id, title, Unit.milliseconds(), library, 1, Pace.SINGLE, 20, Crowd.of(ways));
    }
}
