package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.oneengine.cache.internal.Throwables;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one-time steps of one engine. Each step runs once, and one step runs at a time.
 *
 * <p>Thread-safe. The lock is held for a few instructions. The steps run outside the lock, each in a single flight.
 */
final class Preparations {
    private static final Logger LOG = LoggerFactory.getLogger(Preparations.class);

    private final DatabaseUrl url;
    private final Object lock = new Object();

    /** Steps that are done or running, by name. A failed step is removed. Changed only under the lock. */
    private final ConcurrentMap<String, SingleFlight<?>> steps = new ConcurrentHashMap<>();

    /** The running step; before it, the step that it called, and so on. All run in one thread. */
    @GuardedBy("lock") private final Deque<SingleFlight<?>> running = new ArrayDeque<>();

    Preparations(DatabaseUrl url) {
        this.url = url;
    }

    /**
     * Runs a step unless it has run before. Waits while another thread runs this step or another one.
     *
     * @throws PreparationException if this attempt failed, in whichever thread it ran
     */
    <T> T run(String name, Callable<T> step) {
        while (true) {
            SingleFlight<?> same = steps.get(name);
            if (same != null) {
                return outcome(ofSameType(same));
            }
            SingleFlight<?> other = runningElsewhere();
            if (other != null) {
                other.await();
                continue;
            }
            StackReserve.check();
            SingleFlight<T> mine = new SingleFlight<>("the preparation \"" + name + "\" of " + url);
            if (mine.run(() -> enter(name, mine), () -> log(step, mine), () -> leave(name, mine))) {
                return outcome(mine);
            }
        }
    }

    /** Returns whether a step has succeeded. A failed step is removed. */
    boolean isDone(String name) {
        SingleFlight<?> flight = steps.get(name);
        return flight != null && flight.hasEnded();
    }

    @SuppressWarnings("unchecked") // by contract, steps with equal names are the same step
    private static <T> SingleFlight<T> ofSameType(SingleFlight<?> flight) {
        return (SingleFlight<T>) flight;
    }

    private static <T> T log(Callable<T> step, SingleFlight<T> flight) throws Exception {
        Throwables.log(() -> LOG.debug("{} begins", flight.what));
        T result = step.call();
        Throwables.log(() -> LOG.debug("{} is done", flight.what));
        return result;
    }

    /** Returns the step that another thread runs. */
    private @Nullable SingleFlight<?> runningElsewhere() {
        synchronized (lock) {
            SingleFlight<?> current = running.peek();
            return current == null || current.isMine() ? null : current;
        }
    }

    /** Makes a flight the running one, unless another thread runs a step or has run the same one. */
    private boolean enter(String name, SingleFlight<?> mine) {
        synchronized (lock) {
            if (runningElsewhere() != null || steps.containsKey(name)) {
                return false;
            }
            running.push(mine);
            steps.put(name, mine);
            return true;
        }
    }

    private void leave(String name, SingleFlight<?> mine) {
        synchronized (lock) {
            running.remove(mine);
            if (mine.failure() != null) {
                steps.remove(name, mine);
            }
        }
    }

    private static <T> T outcome(SingleFlight<T> flight) {
        return flight.outcome(failure -> new PreparationException(flight.what, failure));
    }
}
