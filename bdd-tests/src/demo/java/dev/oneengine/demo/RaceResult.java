package dev.oneengine.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of two threads that asked for one URL. Immutable.
 *
 * @param title what they asked
 * @param place what stood between them
 * @param events what they did, in the order of it
 * @param created how many engines were created
 * @param a what thread A has in the end, which makes a table and writes the first row
 * @param b what thread B has in the end, which writes the second row
 */
record RaceResult(String title, String place, List<Event> events, int created, Outcome a, Outcome b) {
    RaceResult {
        events = List.copyOf(events);
    }

    /**
     * What one thread has in the end.
     *
     * @param engine the number of its engine
     * @param rows how many rows it finds; -1 for no table
     * @param failure why it could not write, or {@code null} if it could
     */
    record Outcome(int engine, int rows, @Nullable String failure) {}

    /** What must be so for the race to have been shown. */
    List<Check> showsTheBug() {
        return List.of(
                new Check("2 threads asked for 1 URL and created " + engines(created), created == 2),
                new Check(
                        "thread A uses engine " + a.engine() + ", thread B engine " + b.engine(),
                        a.engine() != b.engine()),
                new Check(
                        "the table of thread A is missing for thread B: "
                                + (b.failure() == null ? "no failure" : b.failure()),
                        b.failure() != null && b.failure().contains("no such table")));
    }

    /** What must be so for the fix to have been shown. */
    List<Check> showsTheFix() {
        boolean waited = events.stream().anyMatch(event -> event.kind() == Event.Kind.WAIT);
        return List.of(
                new Check("2 threads asked for 1 URL and created " + engines(created), created == 1),
                new Check(
                        "thread A uses engine " + a.engine() + ", thread B engine " + b.engine(),
                        a.engine() == b.engine()),
                new Check(
                        "thread B was seen waiting while thread A created the engine" + (waited ? "" : ": no"), waited),
                new Check(
                        "thread A finds " + rows(a.rows()) + ", thread B finds " + rows(b.rows()),
                        a.rows() == 2 && b.rows() == 2));
    }

    /** Whether both threads have the same database, and all that was written is in it. */
    boolean isOneDatabase() {
        return a.engine() == b.engine() && b.failure() == null;
    }

    /** What it means, in a sentence. */
    String verdict() {
        return isOneDatabase()
                ? "One database: what one thread writes, the other finds."
                : "Two databases for one URL: what thread A makes does not exist for thread B.";
    }

    private static String engines(int number) {
        return number + (number == 1 ? " engine" : " engines");
    }

    private static String rows(int number) {
        return number < 0 ? "no table" : number + (number == 1 ? " row" : " rows");
    }
}
