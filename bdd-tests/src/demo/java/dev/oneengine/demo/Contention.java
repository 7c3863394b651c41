package dev.oneengine.demo;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How one contender did. Immutable.
 *
 * @param name which
 * @param expected whether it must have met conflicts
 * @param committed transactions that were committed
 * @param failures transactions that failed, by the code of SQLite
 * @param longest the longest time that one transaction took, committed or not
 * @param seconds how long all of it took
 * @param rows how many rows there are in the end; each transaction that was committed wrote one
 * @param counter what the counter says in the end, to which each of them added one
 */
record Contention(
        String name,
        Contender.Conflicts expected,
        long committed,
        Map<String, Long> failures,
        Duration longest,
        double seconds,
        long rows,
        long counter) {
    Contention {
        failures = new TreeMap<>(failures);
    }

    long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many of a hundred transactions failed. */
    double failedPercent() {
        return 100.0 * failed() / Math.max(1, failed() + committed);
    }

    long perSecond() {
        return Math.round(committed / seconds);
    }

    double longestMillis() {
        return longest.toNanos() / 1e6;
    }

    /** That nothing was lost of what was committed. */
    Check keepsAll() {
        return new Check(
                String.format(
                        Locale.ROOT,
                        "%s: %,d committed, %,d rows, the counter says %,d",
                        name,
                        committed,
                        rows,
                        counter),
                committed == rows && committed == counter);
    }

    /** That it met conflicts, or that it met none and got on; nothing where that depends on the machine. */
    Optional<Check> conflicts() {
        boolean failed = failed() > 0;
        String text = name + ": " + (failed ? "transactions failed with " + reasons() : "no transaction failed");
        return switch (expected) {
            case ALWAYS -> Optional.of(new Check(text, failed));
            case NEVER -> Optional.of(new Check(text, !failed && committed > 0));
            case PERHAPS -> Optional.empty();
        };
    }

    /** The codes of the failures. */
    String reasons() {
        return String.join(", ", failures.keySet());
    }
}
