package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.oneengine.cache.internal.Throwables;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work that one thread does while other threads wait for the result: the creation of an engine ({@link EngineCache} selects its
 * creator) or a preparation.
 *
 * <p>Callbacks run in a flight, outside all locks, so waiting threads stay interruptible. A thread that would wait for itself, also
 * through other flights and threads, gets an exception that names the deadlock.
 *
 * <p>Thread-safe. {@link #run} is called once, by the thread that created the flight.
 */
final class SingleFlight<T> {
    private static final Object WAITING_LOCK = new Object();

    /**
     * The flight that each waiting thread of this process waits for. A deadlock may lead through several engines and caches. Compares
     * threads by identity, because a subclass of Thread may override equality.
     */
    @GuardedBy("WAITING_LOCK") private static final IdentityHashMap<Thread, SingleFlight<?>> WAITING = new IdentityHashMap<>();

    /** The work, for messages. */
    final String what;

    /** Cleared at the end so that a retained flight does not pin its thread or class loader. */
    private volatile @Nullable Thread owner = Thread.currentThread();

    private final CountDownLatch ended = new CountDownLatch(1);

    // Written once before the latch opens, and read only after that. The latch publishes them.
    private @Nullable T result;
    private @Nullable Throwable failure;

    /**
     * Creates a flight of the current thread.
     *
     * @param what the work, for messages; for example "the creation of the engine for X"
     */
    SingleFlight(String what) {
        this.what = what;
    }

    /**
     * Does the work. Whatever fails, the flight ends. It leaves before it ends, so a call after a failure does not find this flight.
     * Callers describe, log and throw the failure only after that, because callbacks may fail there, too.
     *
     * @param enter shows this flight to other threads, unless there is another flight
     * @param work the work; {@code null} is not a result
     * @param leave hides this flight from other threads if it failed
     * @return whether this flight did the work, successfully or not; if not, another flight has entered first
     */
    boolean run(BooleanSupplier enter, Callable<? extends T> work, Runnable leave) {
        boolean entered = true;
        try {
            entered = enter.getAsBoolean();
            if (entered) {
                result = Objects.requireNonNull(work.call(), "it returned null; return a value");
            }
        } catch (Throwable e) {
            failure = e;
            Throwables.keepInterrupt(e);
        } finally {
            try {
                if (entered) {
                    leave.run();
                }
            } finally {
                ended.countDown();
                owner = null;
            }
        }
        return entered;
    }

    /** Whether the current thread does this work. */
    boolean isMine() {
        return owner == Thread.currentThread();
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /**
     * Waits for the end.
     *
     * @throws EngineException if the current thread would wait for itself, or is interrupted
     */
    void await() {
        if (hasEnded()) {
            return;
        }
        try {
            enter();
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException("Interrupted while waiting for " + what, e);
        } finally {
            leave();
        }
    }

    /**
     * Waits for the end and returns the result.
     *
     * @param toException wraps the failure of the work in a new exception of the current thread
     * @throws EngineException if the work failed, or the current thread would wait for itself or is interrupted
     */
    T outcome(Function<Throwable, EngineException> toException) {
        await();
        Throwable mine = failure;
        if (mine != null) {
            throw toException.apply(mine);
        }
        return Objects.requireNonNull(result, what);
    }

    /** Returns the failure of the work, or {@code null}. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** Returns the result of a successful flight. */
    T result() {
        return Objects.requireNonNull(result, what);
    }

    private void enter() {
        Thread me = Thread.currentThread();
        synchronized (WAITING_LOCK) {
            List<String> cycle = new ArrayList<>();
            for (SingleFlight<?> flight = this; flight != null; flight = flight.whatOwnerWaitsFor()) {
                cycle.add(flight.what);
                if (flight.owner == me) {
                    throw new EngineException(describe(cycle), null);
                }
            }
            WAITING.put(me, this);
        }
    }

    /** Ignores flights that have ended: their waiting threads may not have woken yet to leave the map. */
    @GuardedBy("WAITING_LOCK") private @Nullable SingleFlight<?> whatOwnerWaitsFor() {
        Thread thread = owner;
        return thread == null || hasEnded() ? null : WAITING.get(thread);
    }

    private static void leave() {
        synchronized (WAITING_LOCK) {
            WAITING.remove(Thread.currentThread());
        }
    }

    private static String describe(List<String> cycle) {
        return cycle.size() == 1
                ? "This thread would wait for itself: it needs the result of " + cycle.get(0)
                        + ", which it is running; use the argument of the surrounding call instead"
                : "Deadlock: each of these waits for the next one, and the last one for the first: "
                        + String.join(" -> ", cycle) + "; let one of them finish without the other";
    }
}
