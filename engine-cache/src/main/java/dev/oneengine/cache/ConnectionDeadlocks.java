package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Detects deadlocks of threads that hold a turn or a connection and wait for another one. The last thread of a deadlock fails at once
 * instead of waiting for the timeout. {@link SingleFlight} detects those of creations and preparations. Thread-safe.
 */
final class ConnectionDeadlocks {
    private static final Object LOCK = new Object();

    /** A deadlock may lead through several engines and caches, so there is one list for the process. */
    @GuardedBy("LOCK") private static final List<Wait> WAITING = new ArrayList<>();

    /** The number of turns and connections that each thread holds. Another thread may give them back, so the counter is atomic. */
    private static final ThreadLocal<AtomicInteger> HELD = ThreadLocal.withInitial(AtomicInteger::new);

    private ConnectionDeadlocks() {}

    /** The object of a wait: a queue's turn or a pool's connection. */
    interface Resource {
        /** Returns the threads that hold the resource; none if the wait is over, even if its thread has not woken yet. */
        List<Thread> holders();

        /** Whether the wait ends when one holder gives the resource back. If not, all holders must. */
        boolean isAnyEnough();
    }

    private record Wait(Thread thread, Resource resource) {
        /** Compares by identity, because a subclass of Thread may override equality. */
        boolean isOf(Thread candidate) {
            return thread == candidate;
        }
    }

    /** Returns the counter of the current thread. The creator of a turn or loan increments it, and decrements it at the end. */
    static AtomicInteger heldByThisThread() {
        return HELD.get();
    }

    /** Whether the current thread holds anything. A thread that holds nothing is part of no deadlock. */
    static boolean isHolding() {
        return HELD.get().get() > 0;
    }

    /**
     * Registers the current thread as waiting, until {@link #unregister}.
     *
     * @return whether the wait can end; if not, the thread is not registered
     */
    static boolean register(Resource resource) {
        synchronized (LOCK) {
            WAITING.add(new Wait(Thread.currentThread(), resource));
            boolean canEnd = false;
            try {
                canEnd = !isAmong(stuck(), Thread.currentThread());
                return canEnd;
            } finally {
                if (!canEnd) {
                    unregister();
                }
            }
        }
    }

    /** Ends the wait of the current thread; does nothing if it is not registered. */
    static void unregister() {
        synchronized (LOCK) {
            WAITING.removeIf(wait -> wait.isOf(Thread.currentThread()));
        }
    }

    /**
     * Returns the waits that can never end. Starts with all waits, and removes those whose holders can progress, until nothing changes.
     * Meanwhile no wait begins or ends, and waiting threads take and return nothing.
     */
    @GuardedBy("LOCK") private static List<Wait> stuck() {
        List<Wait> stuck = new ArrayList<>(WAITING);
        boolean changed = true;
        while (changed) {
            List<Wait> before = List.copyOf(stuck);
            changed = stuck.removeIf(wait -> canProgress(wait.resource(), before));
        }
        return stuck;
    }

    private static boolean canProgress(Resource resource, List<Wait> stuck) {
        List<Thread> holders = resource.holders();
        return resource.isAnyEnough()
                ? holders.isEmpty() || holders.stream().anyMatch(holder -> !isAmong(stuck, holder))
                : holders.stream().noneMatch(holder -> isAmong(stuck, holder));
    }

    private static boolean isAmong(List<Wait> waits, Thread thread) {
        return waits.stream().anyMatch(wait -> wait.isOf(thread));
    }
}
