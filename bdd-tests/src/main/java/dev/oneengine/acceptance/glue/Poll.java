package dev.oneengine.acceptance.glue;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for what can be observed, never for time to pass. Stateless and thread-safe. */
final class Poll {
    /** Far more than any step needs: it only tells a hang from a slow machine. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private Poll() {}

    /**
     * Waits until something is so.
     *
     * @param failure says what is the matter if it does not come to that
     * @throws AssertionError if it is not so within the limit
     */
    static void until(Supplier<String> failure, Callable<Boolean> condition) {
        until(LIMIT, failure, condition);
    }

    static void until(Duration limit, Supplier<String> failure, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .timeout(limit)
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw Expect.failure("After " + limit.toSeconds() + " s: " + failure.get(), e);
        }
    }
}
