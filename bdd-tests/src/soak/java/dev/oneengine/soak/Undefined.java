package dev.oneengine.soak;

/** The model does not say what happens next: the program is of no use. As thread-safe as any {@link Throwable}. */
final class Undefined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Undefined(String what) {
        super(what, null, false, false);
    }

    /** Lets nothing that catches all failures catch this. */
    static void letThrough(Throwable failure) {
        if (failure instanceof Undefined undefined) {
            throw undefined;
        }
    }
}
