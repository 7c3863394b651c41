package dev.oneengine.cache;

/**
 * Enough stack to begin and to end a flight. A stack that ended in between would leave a flight that never ends, and other threads
 * would wait for it for ever. Stateless and thread-safe.
 */
final class StackReserve {
    /** Several times the calls that ending a flight needs. */
    private static final int CALLS = 200;

    private StackReserve() {}

    /**
     * Checks the current thread's stack before a flight begins.
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
