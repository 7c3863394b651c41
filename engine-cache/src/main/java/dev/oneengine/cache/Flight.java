package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work that the thread that made this object does, while others wait for its end.
 *
 * <p>Foreign code runs in a flight, never under a lock. So a thread that waits can be interrupted, and a thread that would
 * wait for itself, be it over other flights and threads, gets an error that names the ring instead of hanging.
 *
 * <p>Thread-safe. Its owner ends it exactly once.
 */
final class Flight<T> {
    private static final Object RING_LOCK = new Object();

    /** Who waits for what, in this whole process: a ring may lead through several engines and caches. */
    @GuardedBy("RING_LOCK") private static final Map<Thread, Flight<?>> WAITING = new HashMap<>();

    private final String what;

    /** Forgotten at the end, so that what is kept of a flight does not keep a thread, and its class loader, alive. */
    private volatile @Nullable Thread owner = Thread.currentThread();

    private final CountDownLatch ended = new CountDownLatch(1);

    // Written once before the latch opens and read only behind it, which is what publishes them.
    private @Nullable T result;
    private @Nullable Throwable failure;

    /**
     * Begins a flight of the current thread.
     *
     * @param what what is done, for messages, such as "the creation of the engine for X"
     */
    Flight(String what) {
        this.what = what;
    }

    void succeed(T outcome) {
        result = outcome;
        end();
    }

    void fail(Throwable reason) {
        failure = reason;
        end();
    }

    private void end() {
        ended.countDown();
        owner = null;
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
        enter();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException("Interrupted while waiting for " + what, e);
        } finally {
            leave();
        }
    }

    /** What made an ended flight fail, or {@code null} if it succeeded. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** What a flight brought that ended well. */
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
