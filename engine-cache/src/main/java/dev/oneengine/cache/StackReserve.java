package dev.oneengine.cache;

/**
 * Checks that the stack is deep enough to begin and end a single flight, or to take a turn in a queue and hand it to
 * its owner. After a stack overflow in between, the flight or turn would never end, and other threads would wait for
 * ever. Stateless and
 * thread-safe.
 */
final class StackReserve {
    /** The depth of the check: several times the depth of the calls that end a flight or take a turn. */
    private static final int CALLS = 200;

    private StackReserve() {}

    /**
     * Checks the current thread's stack before a flight or turn begins.
     *
     * @throws StackOverflowError if the stack is too short
     */
    static void check() {
        descend(CALLS);
    }

    private static int descend(int calls) {
        return calls == 0 ? 0 : 1 + descend(calls - 1);
    }
}
