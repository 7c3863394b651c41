package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A single flight: one thread does some work, and other threads wait for its end.
 *
 * <p>Foreign code runs in a flight, never under a lock. So a thread that waits can be interrupted, and a thread that would
 * wait for itself, be it over other flights and threads, gets an error that names the ring instead of hanging.
 *
 * <p>Thread-safe. {@link #run} is called once, by the thread that created the flight.
 */
final class Flight<T> {
    private static final Object RING_LOCK = new Object();

    /**
     * The flight that each waiting thread of this process waits for: a ring may lead through several engines and caches.
     * Subclasses of Thread may have another idea of equality.
     */
    @GuardedBy("RING_LOCK") private static final IdentityHashMap<Thread, Flight<?>> WAITING = new IdentityHashMap<>();

    private final String what;

    /** Cleared at the end so that a retained flight does not pin its thread or class loader. */
    private volatile @Nullable Thread owner = Thread.currentThread();

    private final CountDownLatch ended = new CountDownLatch(1);

    // Written once before the latch opens and read only behind it, which is what publishes them.
    private @Nullable T result;
    private @Nullable Throwable failure;

    /**
     * Creates a flight of the current thread.
     *
     * @param what the work, for messages, such as "the creation of the engine for X"
     */
    Flight(String what) {
        this.what = what;
    }

    /**
     * Does the work. Whatever fails, the flight ends: it leaves first, so that a call that comes after a failure does not
     * find it. Callers describe, log and throw the failure only afterwards, as foreign code may fail in that as well.
     *
     * @param enter lets other threads find this flight, unless they have found another one
     * @param work the work; {@code null} is not a result
     * @param leave lets no other thread find this flight any more, if it has failed
     * @return whether this flight did the work, well or not; if not, another one has entered before
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
            Failures.keepInterrupt(e);
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

    String what() {
        return what;
    }

    /** Whether it is the current thread that does this work. */
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

    /** The failure of the work, or {@code null} if it has not failed. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** The result of a flight that has ended well. */
    T result() {
        return Objects.requireNonNull(result, what);
    }

    private void enter() {
        Thread me = Thread.currentThread();
        synchronized (RING_LOCK) {
            List<String> ring = new ArrayList<>();
            for (Flight<?> flight = this; flight != null; flight = flight.whatOwnerWaitsFor()) {
                ring.add(flight.what);
                if (flight.owner == me) {
                    throw new EngineException(describe(ring), null);
                }
            }
            WAITING.put(me, this);
        }
    }

    /** A flight that has ended holds nobody up, even where those who waited have not yet woken to leave the map. */
    @GuardedBy("RING_LOCK") private @Nullable Flight<?> whatOwnerWaitsFor() {
        Thread thread = owner;
        return thread == null || hasEnded() ? null : WAITING.get(thread);
    }

    private static void leave() {
        synchronized (RING_LOCK) {
            WAITING.remove(Thread.currentThread());
        }
    }

    private static String describe(List<String> ring) {
        return ring.size() == 1
                ? "This thread would wait for itself: it asks for what it is busy with, " + ring.get(0)
                        + "; use what the surrounding call was given instead"
                : "These wait for each other in a ring and would never end: " + String.join(" -> ", ring)
                        + " -> the first again; let one of them finish without the other";
    }
}
