package dev.oneengine.cache;

import java.time.Duration;

/**
 * The time within which a running thread may enter an {@link AccessQueue} before the threads that sleep in it. The queue is fair only
 * between slices, because waking a thread costs far more than a small transaction. Guarded by the lock of its queue.
 */
final class TimeSlice {
    /** Much longer than waking a thread takes, and too short for a person to notice. */
    static final Duration FULL_LENGTH = Duration.ofMillis(4);

    /** More waiting threads shorten the slice, so that all of them together wait no longer. */
    private static final int WAITERS_OF_FULL_SLICES = 8;

    /** A slice is never shorter than this part of its full length: shorter ones would consist of waking threads. */
    private static final int SHORTEST_PART = 4;

    private final long fullLength;
    private long start;

    TimeSlice(Duration fullLength) {
        this.fullLength = fullLength.toNanos();
    }

    void begin() {
        start = System.nanoTime();
    }

    /** Returns the nanoseconds until the end of this slice, at most zero after its end, while a number of threads wait. */
    long left(int waiting) {
        return start + length(waiting) - System.nanoTime();
    }

    /** Returns the length of this slice in nanoseconds while a number of threads wait. */
    long length(int waiting) {
        return Math.max(
                fullLength / SHORTEST_PART,
                fullLength / Math.max(WAITERS_OF_FULL_SLICES, waiting) * WAITERS_OF_FULL_SLICES);
    }
}
