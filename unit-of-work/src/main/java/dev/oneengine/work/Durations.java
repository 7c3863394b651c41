package dev.oneengine.work;

import java.time.Duration;
import java.util.Objects;

/** Durations as the clock counts them. Stateless and thread-safe. */
final class Durations {
    /** Nobody waits for longer, and sums of it with any time fit into a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    static long nanos(Duration duration) {
        return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
    }

    static void requireNotNegative(String name, Duration duration) {
        if (Objects.requireNonNull(duration, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative, as " + duration + " is");
        }
    }
}
