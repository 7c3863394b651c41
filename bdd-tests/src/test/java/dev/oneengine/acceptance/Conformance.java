package dev.oneengine.acceptance;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A common way to cache engines, as docs/conformance.md shows it. Immutable and thread-safe.
 *
 * @param name the name of the implementation in {@link BrokenImplementation} or {@link RightImplementation}
 * @param title the heading of its section
 * @param description one sentence
 * @param reasons the reasons for its failures
 */
record Conformance(String name, String title, String description, List<Reason> reasons) {
    private static final String OWN_CREATION =
            "A thread that waited does not learn that the creation failed. It creates the engine itself.";

    private static final String HELD_FOR_ALL =
            "The lock is held while any engine is created, so callers of all URLs wait.";

    private static final String CREATE_ONE_EACH =
            "Several threads find no engine and create one each. The last one overwrites the others.";

    private static final String TWO_DATABASES =
            "Two engines are two databases in memory. The table of one thread does not exist for the other.";

    private static final String DOES_NOT_WAIT = "The second thread does not wait. It creates a second engine.";

    private static final String DATABASE_PER_THREAD =
            "SQLAlchemy gives each thread a separate connection, and so a separate database: `no such table`.";

    /** The scenarios that the original Python code fails, with and without SQLAlchemy. */
    private static final Reason RACES_OF_PYTHON =
            because(CREATE_ONE_EACH, "EC-01", "EC-02", "EC-04", "EC-06", "EC-07", "EC-20", "LD-01", "LD-02", "MI-01");

    /** @param ids the scenarios that fail for one reason */
    record Reason(List<String> ids, String sentence) {}

    static Stream<Conformance> all() {
        return Stream.of(
                new Conformance(
                        "racy-cache",
                        "The racy dictionary",
                        "`RacyCache`, the defect of the bug reports: check, create, write and read without a lock.",
                        List.of(
                                because(
                                        CREATE_ONE_EACH,
                                        "EC-01",
                                        "EC-02",
                                        "EC-04",
                                        "EC-06",
                                        "EC-07",
                                        "EC-20",
                                        "FI-01",
                                        "LD-01",
                                        "LD-02",
                                        "MI-01",
                                        "PG-01",
                                        "PG-10"),
                                because(TWO_DATABASES, "EC-03"),
                                because(DOES_NOT_WAIT, "EC-08", "EC-21", "PG-02"),
                                because(
                                        "No thread waits for the failed creation, so each of the others creates an engine.",
                                        "EC-13"))),
                new Conformance(
                        "one-lock-for-all-urls",
                        "One lock for all",
                        "`OneLockForAllUrls`, the simplest fix: one lock over check, create, write and read.",
                        List.of(because(HELD_FOR_ALL, "EC-09", "EC-22"), because(OWN_CREATION, "EC-13"))),
                new Conformance(
                        "double-checked-locking",
                        "Double-checked locking",
                        "`DoubleCheckedLocking`: a check without the lock, then one lock for all URLs and a second check.",
                        List.of(because(HELD_FOR_ALL, "EC-09", "EC-22"), because(OWN_CREATION, "EC-13"))),
                new Conformance(
                        "compute-if-absent",
                        "computeIfAbsent",
                        "`ConcurrentHashMap.computeIfAbsent` with a function that creates the engine.",
                        List.of(
                                because(
                                        "The map locks one bin of its table during the creation. URLs with the same hash code"
                                                + " share a bin.",
                                        "EC-22"),
                                because(OWN_CREATION, "EC-13"))),
                new Conformance(
                        "caffeine",
                        "Caffeine",
                        "`Cache.get` of Caffeine with a function that creates the engine.",
                        List.of(
                                because(
                                        "Caffeine keeps its entries in a `ConcurrentHashMap`, which locks one bin during the"
                                                + " creation. URLs with the same hash code share a bin.",
                                        "EC-22"),
                                because(OWN_CREATION, "EC-13"))),
                new Conformance(
                        "guava",
                        "Guava",
                        "`Cache.get` of Guava with a function that creates the engine. Guava returns the engine to waiting threads before"
                                + " it stores the entry. An eviction in between does nothing, so EC-16 fails now and then.",
                        List.of()),
                new Conformance(
                        "plain-memory",
                        "A plain pool in memory",
                        "A correct cache whose engines are pools on `jdbc:sqlite::memory:`.",
                        List.of(
                                because(
                                        "SQLite opens a separate database for each connection.",
                                        "EC-03",
                                        "ME-01",
                                        "ME-04",
                                        "ME-05"),
                                because("The database is deleted when its connection is closed.", "ME-02"))),
                new Conformance(
                        "shared-cache",
                        "cache=shared",
                        "A correct cache whose engines are pools on `file:NAME?mode=memory&cache=shared`.",
                        List.of(because(
                                "Connections that share a cache do not wait for each other: a write fails at once with"
                                        + " SQLITE_LOCKED.",
                                "ME-04"))),
                new Conformance(
                        "one-connection",
                        "StaticPool",
                        "A correct cache whose engines have one connection that all threads share.",
                        List.of(because(
                                "Two transactions on one connection are one transaction. The first commit ends both.",
                                "ME-04"))),
                new Conformance(
                        "python-driver-original",
                        "Python: the racy dictionary",
                        "[original.py](porting/python/original.py), the dictionary of the bug reports with its two consumers.",
                        List.of(
                                RACES_OF_PYTHON,
                                because(TWO_DATABASES, "EC-03"),
                                because(DOES_NOT_WAIT, "EC-08", "EC-21"))),
                new Conformance(
                        "python-driver-fixed",
                        "Python: one lock",
                        "[fixed.py](porting/python/fixed.py), one `threading.Lock` held over all four steps.",
                        List.of(because(HELD_FOR_ALL, "EC-09", "EC-22"))),
                new Conformance(
                        "python-driver-better",
                        "Python: a future per URL",
                        "[better.py](porting/python/better.py), a future for each URL, created in one atomic step.",
                        List.of()),
                new Conformance(
                        "python-asyncio_cache",
                        "Python: asyncio",
                        "[asyncio_cache.py](porting/python/asyncio_cache.py), a task for each URL.",
                        List.of()),
                new Conformance(
                        "python-sqlalchemy_driver-original",
                        "Python: SQLAlchemy without a lock",
                        "The racy dictionary with SQLAlchemy's usual engine for `sqlite:///:memory:`.",
                        List.of(
                                RACES_OF_PYTHON,
                                because(DOES_NOT_WAIT, "EC-08", "EC-21"),
                                because(
                                        DATABASE_PER_THREAD,
                                        "EC-03",
                                        "ME-04",
                                        "ME-05",
                                        "MI-02",
                                        "MI-03",
                                        "MI-05",
                                        "MI-10",
                                        "UW-01",
                                        "UW-02",
                                        "UW-03"))),
                new Conformance(
                        "python-sqlalchemy_driver-fixed",
                        "Python: SQLAlchemy with one lock",
                        "One lock and SQLAlchemy's usual engine.",
                        List.of(
                                because(HELD_FOR_ALL, "EC-09", "EC-22"),
                                because(
                                        DATABASE_PER_THREAD,
                                        "EC-03",
                                        "ME-04",
                                        "ME-05",
                                        "MI-01",
                                        "MI-02",
                                        "MI-03",
                                        "MI-05",
                                        "MI-10",
                                        "UW-01",
                                        "UW-02",
                                        "UW-03"))),
                new Conformance(
                        "python-sqlalchemy_driver-better",
                        "Python: SQLAlchemy with a future per URL",
                        "A future for each URL, and an engine of SQLAlchemy whose connections share one database.",
                        List.of()));
    }

    private static Reason because(String sentence, String... ids) {
        return new Reason(List.of(ids), sentence);
    }

    /** The failing scenarios of all reasons together. */
    Set<String> failures() {
        Set<String> ids = new TreeSet<>();
        reasons.forEach(reason -> ids.addAll(reason.ids()));
        return ids;
    }

    /** The row of the overview. */
    String row(Collection<String> passed, Collection<String> failed, Collection<String> skipped) {
        return "| [" + title + "](#"
                + title.toLowerCase(Locale.ROOT).replaceAll("[^a-z -]", "").replace(' ', '-')
                + ") | " + passed.size() + " | "
                + (failed.isEmpty() ? "none" : String.join(", ", new TreeSet<>(failed))) + " | " + skipped.size()
                + " |";
    }

    /** The text below the heading. */
    String section() {
        StringBuilder text = new StringBuilder(description).append("\n\n");
        if (reasons.isEmpty()) {
            return text.append("Passes every scenario whose result is certain.\n")
                    .toString();
        }
        text.append("| Fails | Why |\n|---|---|\n");
        reasons.forEach(reason -> text.append("| ")
                .append(String.join(", ", reason.ids()))
                .append(" | ")
                .append(reason.sentence())
                .append(" |\n"));
        return text.toString();
    }
}
