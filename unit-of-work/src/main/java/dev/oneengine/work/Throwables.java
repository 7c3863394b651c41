package dev.oneengine.work;

/** What goes wrong while something else goes wrong. Stateless and thread-safe. */
final class Throwables {
    private Throwables() {}

    /** Notes a further failure in the first; two may be the same object, which cannot suppress itself. */
    static void suppress(Throwable failure, Throwable other) {
        if (failure != other) {
            failure.addSuppressed(other);
        }
    }

    /** What a failure says; it is the users', and may fail in saying it. */
    static String describe(Throwable failure) {
        try {
            return failure.toString();
        } catch (RuntimeException e) {
            return failure.getClass().getName();
        }
    }
}
