package dev.oneengine.benchmark;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Prints the comparison that begins, and the remaining time. Confined to its thread. */
final class Status {
    private final List<Comparison> comparisons;
    private final PrintStream out;
    private final long begin = System.nanoTime();

    /** The estimated duration of this run relative to a full run, until the first comparison is done. */
    private final double expected;

    private int secondsDone;
    private double secondsTaken;

    Status(List<Comparison> comparisons, Effort effort, PrintStream out) {
        this.comparisons = comparisons;
        this.expected = effort == Effort.FULL ? 1 : 0.3;
        this.out = out;
    }

    void begin(Comparison comparison) {
        int place = comparisons.indexOf(comparison) + 1;
        out.println(String.format(
                Locale.ROOT, "%d of %d, %s left: %s", place, comparisons.size(), left(), comparison.title()));
    }

    private String left() {
        int all = comparisons.stream().mapToInt(Comparison::seconds).sum();
        double speed = secondsDone == 0 ? expected : secondsTaken / secondsDone;
        long left = Math.max(1, Math.round((all - secondsDone) * speed));
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
