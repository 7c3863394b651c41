package dev.oneengine.demo;

import java.util.Locale;

/**
 * A step of a thread. Immutable and thread-safe.
 *
 * @param lane the thread
 * @param kind the kind of step
 * @param engine the number of the engine concerned, in the order of creation; 0 for none
 * @param text a description
 */
record Event(Lane lane, Kind kind, int engine, String text) {
    /** The kinds of steps. */
    enum Kind {
        /** Asks the library, which does the rest. */
        ASK,
        /** Looks into the map. */
        CHECK,
        /** Begins to create an engine. */
        CREATE,
        /** Has created it. */
        CREATED,
        /** Puts it into the map. */
        WRITE,
        /** Is seen waiting for the other thread. */
        WAIT,
        /** Gets its engine. */
        READ,
        /** Uses its engine. */
        USE,
        /** Fails to use its engine. */
        FAILED;

        /** The step as a word. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
