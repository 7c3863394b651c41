package dev.oneengine.migration;

import java.time.Duration;

/** Durations as the clock counts them. Stateless and thread-safe. */
final class Durations {
    /** Nobody waits for longer, and sums of it with any time fit into a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    static long nanos(Duration duration) {
        return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
    }
}
