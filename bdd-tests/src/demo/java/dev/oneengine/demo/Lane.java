package dev.oneengine.demo;

import java.util.Locale;

/** The two threads. Immutable. */
enum Lane {
    A,
    B;

    /** The name of the thread. */
    String title() {
        return "thread " + name();
    }

    /** The same in words of one letter case, for names in markup. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
