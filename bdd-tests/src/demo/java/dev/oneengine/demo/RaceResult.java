package dev.oneengine.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a race: two threads asked for the engine of one URL. Immutable and thread-safe.
 *
 * @param title the cache that they asked
 * @param place the object that both threads use: a map, or the cache
 * @param events the steps of both threads, in order
 * @param created the number of engines created
 * @param a the outcome of thread A, which creates a table and writes the first row
 * @param b the outcome of thread B, which writes the second row
 */
record RaceResult(String title, String place, List<Event> events, int created, Outcome a, Outcome b) {
    RaceResult {
        events = List.copyOf(events);
    }

    /**
     * The outcome of one thread.
     *
     * @param engine the number of its engine
     * @param rows the number of rows that it finds; -1 without a table
     * @param failure the message of its failed write, or {@code null} if the write succeeded
     */
    record Outcome(int engine, int rows, @Nullable String failure) {}

    /** The expectations of a cache with the bug. */
    List<Check> showsTheBug() {
        return List.of(
                new Check("2 threads asked for 1 URL and created " + engines(created), false, created == 2),
                new Check(
                        "thread A uses engine " + a.engine() + ", thread B engine " + b.engine(),
                        false,
                        a.engine() != b.engine()),
                new Check(
                        "thread B misses the table of thread A: " + (b.failure() == null ? "no failure" : b.failure()),
                        false,
                        b.failure() != null && b.failure().contains("no such table")));
    }

    /** The expectations of a cache without the bug. */
    List<Check> showsTheFix() {
        boolean waited = events.stream().anyMatch(event -> event.kind() == Event.Kind.WAIT);
        return List.of(
                new Check("2 threads asked for 1 URL and created " + engines(created), created == 1),
                new Check(
                        "thread A uses engine " + a.engine() + ", thread B engine " + b.engine(),
                        a.engine() == b.engine()),
                new Check(
                        waited
                                ? "thread B waited while thread A created the engine"
                                : "thread B did not wait for thread A to create the engine",
                        waited),
                new Check(
                        "thread A finds " + rows(a.rows()) + ", thread B finds " + rows(b.rows()),
                        a.rows() == 2 && b.rows() == 2));
    }

    /** Whether both threads use the same database, and all writes succeeded. */
    boolean isOneDatabase() {
        return a.engine() == b.engine() && b.failure() == null;
    }

    /** The conclusion, in a sentence. */
    String verdict() {
        return isOneDatabase()
                ? "One database: each thread finds what the other one wrote."
                : "Two databases for one URL: the table of thread A does not exist for thread B.";
    }

    private static String engines(int number) {
        return number + (number == 1 ? " engine" : " engines");
    }

    private static String rows(int number) {
        return number < 0 ? "no table" : number + (number == 1 ? " row" : " rows");
    }
}
