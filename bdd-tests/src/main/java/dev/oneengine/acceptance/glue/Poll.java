package dev.oneengine.acceptance.glue;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for an observable condition, never for time to pass. Stateless and thread-safe. */
final class Poll {
    /** Far longer than any step needs, even on a slow machine. It only detects hangs. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private Poll() {}

    /**
     * Waits until a condition holds.
     *
     * @param failure describes the problem if the condition never holds
     * @throws AssertionError if the condition does not hold within the limit
     */
    static void until(Supplier<String> failure, Callable<Boolean> condition) {
        until(LIMIT, failure, condition);
    }

    static void until(Duration limit, Supplier<String> failure, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .timeout(limit)
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw Expect.failure("After " + limit.toSeconds() + " s: " + failure.get(), e);
        }
    }
}
