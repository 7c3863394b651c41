package dev.oneengine.demo;

import java.util.Locale;

/**
 * One thing that a thread did or met. Immutable.
 *
 * @param lane which thread
 * @param kind what it was
 * @param engine the number of the engine that it was about, in the order of creation; 0 for none
 * @param text what there is to say about it
 */
record Event(Lane lane, Kind kind, int engine, String text) {
    /** What can happen. */
    enum Kind {
        /** Asks the library, which does all the rest. */
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
        /** Gets an engine, to keep. */
        READ,
        /** Uses the engine that it got. */
        USE,
        /** Could not use it. */
        FAILED;

        /** The step as a word. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
