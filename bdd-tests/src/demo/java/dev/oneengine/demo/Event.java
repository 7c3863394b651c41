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
        /** Asks the library for the engine. */
        ASK,
        /** Checks whether the map has an engine. */
        CHECK,
        /** Begins the creation of an engine. */
        CREATE,
        /** Completes the creation. */
        CREATED,
        /** Writes the engine into the map. */
        WRITE,
        /** Waits for the other thread. */
        WAIT,
        /** Reads its engine back from the map or the cache. */
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
