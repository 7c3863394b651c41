package dev.oneengine.soak;

/**
 * Thrown when the model cannot predict the next step, so the program tests nothing. As thread-safe as any {@link
 * Throwable}.
 */
final class Undefined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Undefined(String what) {
        super(what, null, false, false);
    }

    /** Rethrows a failure of this class. For code that catches all failures. */
    static void letThrough(Throwable failure) {
        if (failure instanceof Undefined undefined) {
            throw undefined;
        }
    }
}
