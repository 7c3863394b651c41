package dev.oneengine.demo;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The result of one contender. Immutable and thread-safe.
 *
 * @param name the contender
 * @param expected whether transactions must fail
 * @param committed the number of committed transactions
 * @param failures the number of failed transactions, by the code of SQLite
 * @param longest the longest time that a thread went without a commit
 * @param seconds the duration of the measurement
 * @param rows the rows at the end; each committed transaction wrote one
 * @param counter the counter at the end; each committed transaction added one
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

    /** The percentage of transactions that failed. */
    double failedPercent() {
        return 100.0 * failed() / Math.max(1, failed() + committed);
    }

    long perSecond() {
        return Math.round(committed / seconds);
    }

    double longestMillis() {
        return longest.toNanos() / 1e6;
    }

    /** The expectation that no committed transaction was lost. Failed transactions make it bad news. */
    Check keepsAll() {
        String failed = failed() == 0 ? "" : String.format(Locale.ROOT, " %,d failed,", failed());
        return new Check(
                String.format(
                        Locale.ROOT,
                        "%s: %,d committed,%s %,d rows, counter %,d",
                        name,
                        committed,
                        failed,
                        rows,
                        counter),
                failed() == 0,
                committed == rows && committed == counter);
    }

    /** The expectation about failures; empty where failures depend on the machine. */
    Optional<Check> conflicts() {
        boolean failed = failed() > 0;
        String text = name + ": " + (failed ? "transactions failed with " + reasons() : "no transaction failed");
        return switch (expected) {
            case ALWAYS -> Optional.of(new Check(text, false, failed));
            case NEVER -> Optional.of(new Check(text, !failed && committed > 0));
            case PERHAPS -> Optional.empty();
        };
    }

    /** Lists the codes of the failures. */
    String reasons() {
        return String.join(", ", failures.keySet());
    }
}
