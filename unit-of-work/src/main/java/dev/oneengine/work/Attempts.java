package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts at one unit of work. For one thread. */
final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private final DatabaseUrl url;
    private final RetryPolicy retry;
    private final long start = System.nanoTime();
    private final List<Throwable> failures = new ArrayList<>(0);

    Attempts(DatabaseUrl url, RetryPolicy retry) {
        this.url = url;
        this.retry = retry;
    }

    /**
     * Decides what follows a failed attempt; if that is another one, waits until its time has come.
     *
     * @return whether to try again; if not, the failure now carries all earlier ones
     */
    boolean again(Throwable failure) {
        boolean conflict = Conflicts.among(failure);
        String end = conflict ? reasonToEnd(failure) : "the last one failed with more than a conflict";
        if (end == null) {
            failures.add(failure);
            return true;
        }
        failures.forEach(earlier -> Throwables.suppress(failure, earlier));
        if (!failures.isEmpty() || (conflict && retry.attempts() > 1)) {
            Throwables.suppress(
                    failure,
                    new TransactionException(
                            "The unit of work on " + url + " was given up after "
                                    + (failures.isEmpty() ? "1 attempt: " : failures.size() + 1 + " attempts: ") + end,
                            null));
        }
        return false;
    }

    private @Nullable String reasonToEnd(Throwable failure) {
        int number = failures.size() + 1;
        if (number >= retry.attempts()) {
            return "its RetryPolicy allows no more; make units shorter, or raise that";
        }
        long delay = delay(number);
        if (System.nanoTime() - start + delay > Durations.nanos(retry.deadline())) {
            return "the deadline of " + retry.deadline() + " is reached";
        }
        Throwables.log(() -> LOG.debug(
                "Attempt {} at a unit of work on {} met a conflict: {}", number, url, Throwables.describe(failure)));
        return sleep(delay) ? null : "the thread was interrupted";
    }

    private long delay(int number) {
        double doubled = (double) Durations.nanos(retry.firstDelay()) * Math.pow(2, number - 1.0);
        long limit = (long) Math.min((double) Durations.nanos(retry.longestDelay()), doubled);
        return ThreadLocalRandom.current().nextLong(limit + 1);
    }

    private static boolean sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return !Thread.currentThread().isInterrupted();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
