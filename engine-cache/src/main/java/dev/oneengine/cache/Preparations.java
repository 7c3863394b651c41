package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one engine: each exactly once, one at a time.
 *
 * <p>Thread-safe. The lock is held for a few instructions, and the steps run outside it, in flights.
 */
final class Preparations {
    private static final Logger LOG = LoggerFactory.getLogger(Preparations.class);

    private final Engine engine;
    private final Object lock = new Object();

    /** Steps that are done or under way, by name; one that failed is taken out. Changed under the lock only. */
    private final ConcurrentMap<String, Flight<?>> steps = new ConcurrentHashMap<>();

    /** The step that runs now, and in front of it the one that it asked for itself, and so on. All of one thread. */
    @GuardedBy("lock") private final Deque<Flight<?>> running = new ArrayDeque<>();

    Preparations(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs a step unless it was run before, and waits while another thread runs it or another step.
     *
     * @throws PreparationException if this attempt failed, in whichever thread it ran
     */
    <T> T prepare(Preparation<T> step) {
        String name = step.name();
        while (true) {
            Flight<?> same = steps.get(name);
            if (same != null) {
                same.await();
                return outcome(ofSameType(same));
            }
            Flight<?> other = inTheWay();
            if (other != null) {
                other.await();
                continue;
            }
            StackReserve.check();
            Flight<T> mine = new Flight<>("the preparation \"" + name + "\" of " + engine.url());
            if (mine.run(() -> begin(name, mine), () -> run(step, mine), () -> leave(name, mine))) {
                return outcome(mine);
            }
        }
    }

    /** Whether a step was done, and well: one that failed is no longer there. */
    boolean isDone(String name) {
        Flight<?> flight = steps.get(name);
        return flight != null && flight.hasEnded();
    }

    @SuppressWarnings("unchecked") // by contract, steps of equal name are the same step
    private static <T> Flight<T> ofSameType(Flight<?> flight) {
        return (Flight<T>) flight;
    }

    private <T> T run(Preparation<T> step, Flight<T> flight) throws Exception {
        Failures.log(() -> LOG.debug("{} begins", flight.what()));
        T result = step.prepare(engine);
        Failures.log(() -> LOG.debug("{} is done", flight.what()));
        return result;
    }

    /** The step that runs in another thread. */
    private @Nullable Flight<?> inTheWay() {
        synchronized (lock) {
            Flight<?> current = running.peek();
            return current == null || current.isMine() ? null : current;
        }
    }

    /** Makes a flight the one that runs, unless another thread has begun the same step or another. */
    private boolean begin(String name, Flight<?> mine) {
        synchronized (lock) {
            if (inTheWay() != null || steps.containsKey(name)) {
                return false;
            }
            running.push(mine);
            steps.put(name, mine);
            return true;
        }
    }

    private void leave(String name, Flight<?> mine) {
        synchronized (lock) {
            running.remove(mine);
            if (mine.failure() != null) {
                steps.remove(name, mine);
            }
        }
    }

    /** The result of a flight that has ended, or its failure as an exception of the current thread's own. */
    private static <T> T outcome(Flight<T> flight) {
        Throwable failure = flight.failure();
        if (failure != null) {
            throw new PreparationException(
                    flight.what() + " failed, and the next call tries again: " + Failures.describe(failure), failure);
        }
        return flight.result();
    }
}
