package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of this process that hold a turn or a connection and wait for another one. The last thread of a ring learns here
 * that its wait would never end, instead of waiting for the timeout. Thread-safe.
 */
final class DeadlockDetector {
    private static final Object LOCK = new Object();

    /** A ring may lead through several engines and caches, so there is one map for the process. */
    @GuardedBy("LOCK") private static final List<Wait> WAITING = new ArrayList<>();

    /** How many turns and connections each thread holds. Another thread may give them back, hence the atomic counter. */
    private static final ThreadLocal<AtomicInteger> HELD = ThreadLocal.withInitial(AtomicInteger::new);

    private DeadlockDetector() {}

    /** The wait of one thread: for a queue's turn or a pool's connection. */
    interface Resource {
        /** The threads that hold what is waited for; none if the wait is over, though its thread may not have woken yet. */
        List<Thread> holders();

        /** Whether one holder that gives it back ends the wait; if not, all must. */
        boolean isAnyEnough();
    }

    private record Wait(Thread thread, Resource resource) {
        /** Compares by identity, as a subclass of Thread may have another idea of equality. */
        boolean isOf(Thread candidate) {
            return thread == candidate;
        }
    }

    /** The counter of what the current thread holds; its owner increments it, and decrements it at the end. */
    static AtomicInteger heldByThisThread() {
        return HELD.get();
    }

    /** Whether the current thread holds anything. A thread that holds nothing is part of no ring. */
    static boolean isHolding() {
        return HELD.get().get() > 0;
    }

    /**
     * Registers the current thread as waiting, until {@link #end}.
     *
     * @return whether the wait can end; if not, the thread is not registered
     */
    static boolean begin(Resource resource) {
        synchronized (LOCK) {
            WAITING.add(new Wait(Thread.currentThread(), resource));
            boolean canEnd = false;
            try {
                canEnd = !isAmong(stuck(), Thread.currentThread());
                return canEnd;
            } finally {
                if (!canEnd) {
                    end();
                }
            }
        }
    }

    /** Ends the wait of the current thread; does nothing if it is not registered. */
    static void end() {
        synchronized (LOCK) {
            WAITING.removeIf(wait -> wait.isOf(Thread.currentThread()));
        }
    }

    /**
     * Assumes that all waiting threads are stuck, and removes those whose holders are not, until nothing changes. Nobody begins or
     * ends a wait meanwhile, and what a waiting thread holds does not change.
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
