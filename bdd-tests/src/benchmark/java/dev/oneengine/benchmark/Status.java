package dev.oneengine.benchmark;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows the running comparison and the remaining time on a terminal. Confined to its thread. */
final class Status {
    /** Begins a status line. Gradle's task shows it in the status area of the terminal. */
    private static final String PREFIX = "status: ";

    private final List<Comparison> comparisons;
    private final boolean shown;
    private final PrintStream out;
    private final long begin = System.nanoTime();

    /** The estimated duration of this run relative to a full run, until the first comparison is done. */
    private final double expected;

    private int secondsDone;
    private double secondsTaken;

    Status(List<Comparison> comparisons, Effort effort, boolean shown, PrintStream out) {
        this.comparisons = comparisons;
        this.expected = effort == Effort.FULL ? 1 : 0.3;
        this.shown = shown;
        this.out = out;
    }

    void show(Comparison running) {
        if (shown) {
            int place = comparisons.indexOf(running) + 1;
            out.println(String.format(
                    Locale.ROOT,
                    "%s%s, %d of %d, %s left",
                    PREFIX,
                    running.title(),
                    place,
                    comparisons.size(),
                    left()));
        }
    }

    private String left() {
        int all = comparisons.stream().mapToInt(Comparison::seconds).sum();
        double speed = secondsDone == 0 ? expected : secondsTaken / secondsDone;
        double running = elapsed() - secondsTaken;
        long left = Math.max(1, Math.round((all - secondsDone) * speed - running));
        return left < 60 ? left + " s" : (left + 59) / 60 + " min";
    }

    private double elapsed() {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    void done(Comparison comparison) {
        secondsDone += comparison.seconds();
        secondsTaken = elapsed();
    }
}
