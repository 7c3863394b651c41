package dev.oneengine.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a unit of work is retried after a conflict with another transaction: a locked database on SQLite, a serialisation failure or a
 * deadlock on PostgreSQL. No other failure is retried.
 *
 * <p>Before each retry, the thread waits for a random time. The limit of this wait starts at the first delay and
 * doubles for each retry, up to the longest delay. Immutable and thread-safe.
 *
 * @param attempts the greatest number of attempts; at least 1
 * @param firstDelay the limit of the wait before the second attempt
 * @param longestDelay the limit of every wait
 * @param deadline the time after the start of the first attempt in which the last one must start
 */
public record RetryPolicy(int attempts, Duration firstDelay, Duration longestDelay, Duration deadline) {
    private static final RetryPolicy DEFAULTS =
            new RetryPolicy(20, Duration.ofMillis(2), Duration.ofMillis(250), Duration.ofSeconds(30));
    private static final RetryPolicy NEVER = new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /**
     * Creates a policy.
     *
     * @param attempts the greatest number of attempts; at least 1
     * @param firstDelay the limit of the wait before the second attempt
     * @param longestDelay the limit of every wait
     * @param deadline the time after the start of the first attempt in which the last one must start
     * @throws IllegalArgumentException if a value is out of range; the message names it
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
     * Returns the default policy: 20 attempts within 30 seconds, with waits of up to 2, 4, 8 ... 250 milliseconds.
     *
     * @return always the same object
     */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * Returns the policy of a single attempt.
     *
     * @return always the same object
     */
    public static RetryPolicy never() {
        return NEVER;
    }

    /**
     * Returns a copy with another number of attempts.
     *
     * @param most the greatest number of attempts
     * @return a new policy
     */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, firstDelay, longestDelay, deadline);
    }

    /**
     * Returns a copy with another deadline.
     *
     * @param end the time after the start of the first attempt in which the last one must start
     * @return a new policy
     */
    public RetryPolicy withDeadline(Duration end) {
        return new RetryPolicy(attempts, firstDelay, longestDelay, end);
    }

    /** Returns a random wait after an attempt, in nanoseconds. */
    long delayAfter(int attempt) {
        double doubled = (double) Durations.nanos(firstDelay) * Math.pow(2, attempt - 1.0);
        long limit = (long) Math.min((double) Durations.nanos(longestDelay), doubled);
        return ThreadLocalRandom.current().nextLong(limit + 1);
    }
}
