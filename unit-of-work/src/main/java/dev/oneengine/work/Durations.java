package dev.oneengine.work;

import java.time.Duration;
import java.util.Objects;

/** Checks durations and converts them to nanoseconds. Stateless and thread-safe. */
final class Durations {
    /** No wait lasts longer, and the sum of this and any {@link System#nanoTime} fits into a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    static long nanos(Duration duration) {
        return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
    }

    static void requireNotNegative(String name, Duration duration) {
        if (Objects.requireNonNull(duration, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + duration);
        }
    }
}
