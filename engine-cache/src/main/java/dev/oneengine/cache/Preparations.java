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
        Flight<?> known = steps.get(name);
        String what = known == null ? "the preparation \"" + name + "\" of " + engine.url() : known.what();
        while (true) {
            Flight<T> mine = new Flight<>(what);
            Flight<?> other = begin(name, mine);
            if (other == null) {
                return run(step, mine);
            }
            other.await();
            if (other.what().equals(what)) {
                return outcome(ofSameType(other));
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

    /** Makes a flight the one that runs, or returns the one to wait for: of the same step, or of the one that runs. */
    private @Nullable Flight<?> begin(String name, Flight<?> mine) {
        synchronized (lock) {
            Flight<?> same = steps.get(name);
            Flight<?> current = running.peek();
            if (same != null) {
                return same;
            }
            if (current != null && !current.isMine()) {
                return current;
            }
            steps.put(name, mine);
            running.push(mine);
            return null;
        }
    }

    private <T> T run(Preparation<T> step, Flight<T> flight) {
        LOG.debug("{} begins", flight.what());
        T result;
        try {
            result = step.prepare(engine);
        } catch (Throwable e) {
            end(step.name(), false);
            flight.fail(e);
            return outcome(flight);
        }
        end(step.name(), true);
        flight.succeed(result);
        LOG.debug("{} is done", flight.what());
        return result;
    }

    private void end(String name, boolean done) {
        synchronized (lock) {
            running.pop();
            if (!done) {
                steps.remove(name);
            }
        }
    }

    /** What a flight brought, in each thread that asked: its result, or an exception of the thread's own. */
    private static <T> T outcome(Flight<T> flight) {
        Throwable failure = flight.failure();
        if (failure != null) {
            throw new PreparationException(
                    flight.what() + " failed, and the next call tries again: " + failure, failure);
        }
        return flight.result();
    }
}
