package dev.oneengine.demo;

import java.util.Locale;

/** The two threads of the race. Immutable and thread-safe. */
enum Lane {
    A,
    B;

    /** The name of the thread. */
    String title() {
        return "thread " + name();
    }

    /** The identifier in markup. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
