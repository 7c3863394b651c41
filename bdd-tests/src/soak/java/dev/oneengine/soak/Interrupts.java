package dev.oneengine.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;

/**
 * Records which steps an interrupted thread could not begin. An interrupt ends a wait, but the pool decides whether a
 * thread waits at all. So the model copies the outcome from the real run. Confined to its thread.
 */
final class Interrupts {
    private final IdentityHashMap<Step, Deque<Boolean>> rejections = new IdentityHashMap<>();

    /** Records whether a step was rejected, each time that an interrupted thread begins it. */
    void note(Step step, boolean rejected) {
        rejections.computeIfAbsent(step, key -> new ArrayDeque<>()).add(rejected);
    }

    /** Returns the next record of the step: whether it was rejected. */
    boolean next(Step step) {
        Deque<Boolean> known = rejections.get(step);
        return known != null && !known.isEmpty() && known.remove();
    }
}
