package dev.oneengine.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;

/**
 * Which steps an interrupted thread could not begin. An interrupt ends a wait, and whether there is one depends on the pool: the
 * library chooses, and the model follows. Confined to its thread.
 */
final class Interrupts {
    private final IdentityHashMap<Step, Deque<Boolean>> rejections = new IdentityHashMap<>();

    /** Notes whether a step was rejected, each time that an interrupted thread begins it. */
    void note(Step step, boolean rejected) {
        rejections.computeIfAbsent(step, key -> new ArrayDeque<>()).add(rejected);
    }

    /** Whether the step was rejected the next time. */
    boolean next(Step step) {
        Deque<Boolean> known = rejections.get(step);
        return known != null && !known.isEmpty() && known.remove();
    }
}
