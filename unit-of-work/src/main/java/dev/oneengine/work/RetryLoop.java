package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.internal.Throwables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a function in a separate unit, and retries it after conflicts as the {@link RetryPolicy} allows. Confined to its thread. */
final class RetryLoop implements Unit.Retries {
    private static final Logger LOG = LoggerFactory.getLogger(RetryLoop.class);

    private final Engine engine;
    private final RetryPolicy policy;
    private final long start = System.nanoTime();

    /** The conflicts of the earlier attempts. */
    private final List<Throwable> conflicts = new ArrayList<>(0);

    private RetryLoop(Engine engine, RetryPolicy policy) {
        this.engine = engine;
        this.policy = policy;
    }

    static <R extends @Nullable Object, X extends Exception> R run(
            Engine engine, UnitSettings settings, TransactionFunction<R, X> function, boolean readOnly) throws X {
        RetryLoop loop = new RetryLoop(engine, settings.retry());
        while (true) {
            Unit unit;
            try {
                unit = Unit.open(engine, settings, readOnly);
            } catch (Throwable t) {
                if (loop.shouldRetry(t)) {
                    continue;
                }
                throw t;
            }
            R result;
            try {
                result = new Transaction(unit, TransactionRole.UNIT, unit.scope()).apply(function);
            } catch (Throwable t) {
                if (unit.fail(t, loop)) {
                    continue;
                }
                throw t;
            }
            boolean retry = unit.finish(true, loop);
            if (!retry) {
                return result;
            }
        }
    }

    /** Decides whether to retry, and waits for the next attempt. If not, suppresses the earlier conflicts in the failure. */
    @Override
    public boolean shouldRetry(Throwable failure) {
        boolean conflict = Conflicts.isConflict(failure);
        String reason = conflict ? reasonToGiveUp(failure) : "the last failure is not a conflict";
        if (reason == null) {
            conflicts.add(failure);
            return true;
        }
        for (Throwable earlier : conflicts) {
            Throwables.suppress(failure, earlier);
        }
        if (!conflicts.isEmpty() || (conflict && policy.attempts() > 1)) {
            int attempts = conflicts.size() + 1;
            Throwables.suppress(
                    failure,
                    new TransactionException(
                            "Gave up the unit of work on " + engine.url() + " after " + attempts
                                    + (attempts == 1 ? " attempt: " : " attempts: ") + reason,
                            null));
        }
        return false;
    }

    private @Nullable String reasonToGiveUp(Throwable failure) {
        int attempt = conflicts.size() + 1;
        if (attempt >= policy.attempts()) {
            return "the RetryPolicy allows no more. Shorten the unit, or raise the number of attempts.";
        }
        long delay = policy.delayAfter(attempt);
        if (System.nanoTime() - start + delay > Durations.nanos(policy.deadline())) {
            return "the deadline of " + policy.deadline() + " is reached";
        }
        Throwables.log(() -> LOG.debug(
                "Attempt {} of a unit of work on {} failed with a conflict: {}",
                attempt,
                engine.url(),
                Throwables.describe(failure)));
        return sleep(delay) ? null : "the thread was interrupted";
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
