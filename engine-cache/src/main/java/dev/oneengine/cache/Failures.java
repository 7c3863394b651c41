package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/** Collects what fails while everything else goes on. Stateless and thread-safe. */
final class Failures {
    private Failures() {}

    /** The first failure, with the others suppressed. */
    static <T extends Throwable> T add(@Nullable T first, T next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
