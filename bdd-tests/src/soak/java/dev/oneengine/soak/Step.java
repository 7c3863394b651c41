package dev.oneengine.soak;

import java.util.List;

/**
 * One step of a program, and the steps within it. Immutable and thread-safe.
 *
 * @param number for a statement its key, for a conflict the number of occurrences, for a migration its version
 * @param body the steps within a block
 */
record Step(Kind kind, int number, List<Step> body) {
    Step {
        body = List.copyOf(body);
    }

    Step with(List<Step> other) {
        return new Step(kind, number, other);
    }

    int size() {
        return 1 + body.stream().mapToInt(Step::size).sum();
    }
}
