package dev.oneengine.work;

import java.time.Duration;

/**
 * How often a unit of work is tried that meets a conflict with another: a lock of SQLite that is not to be had, a
 * serialisation failure or a deadlock of PostgreSQL. Nothing else is ever tried again.
 *
 * <p>Before each further attempt it waits for a random time between nothing and a limit that begins with the first delay and
 * doubles up to the longest. Immutable and thread-safe.
 *
 * @param attempts how often a unit runs at most; at least 1
 * @param firstDelay the limit of the wait before the second attempt
 * @param longestDelay the limit of every wait
 * @param deadline no attempt begins later than this after the first one began
 */
public record RetryPolicy(int attempts, Duration firstDelay, Duration longestDelay, Duration deadline) {
    private static final RetryPolicy DEFAULTS =
            new RetryPolicy(20, Duration.ofMillis(2), Duration.ofMillis(250), Duration.ofSeconds(30));
    private static final RetryPolicy NEVER = new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Checks the numbers.
     *
     * @param attempts as above
     * @param firstDelay as above
     * @param longestDelay as above
     * @param deadline as above
     * @throws IllegalArgumentException if one of them cannot be; the message names it
     */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
        }
        Durations.requireNotNegative("firstDelay", firstDelay);
        Durations.requireNotNegative("longestDelay", longestDelay);
        Durations.requireNotNegative("deadline", deadline);
    }

    /**
     * What fits most uses: 20 attempts within 30 seconds, after waits of up to 2, 4, 8 ... 250 milliseconds.
     *
     * @return always the same
     */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * One attempt and no more.
     *
     * @return always the same
     */
    public static RetryPolicy never() {
        return NEVER;
    }

    /**
     * The same with another number of attempts.
     *
     * @param most how often a unit runs at most
     * @return another object
     */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, firstDelay, longestDelay, deadline);
    }

    /**
     * The same with another deadline.
     *
     * @param end no attempt begins later than this after the first one began
     * @return another object
     */
    public RetryPolicy withDeadline(Duration end) {
        return new RetryPolicy(attempts, firstDelay, longestDelay, end);
    }
}
