package dev.oneengine.benchmark;

import java.util.List;

/**
 * Several ways to do the same work. The first one is the baseline. Immutable.
 *
 * @param id the name of its region on the page, and of its rows in the results
 * @param title the heading in tables
 * @param unit the unit of its values
 * @param library the name of the way through this library
 * @param threads the number of threads that repeat the work
 * @param pace the length of its rounds
 * @param seconds its duration in a full run, for the estimate of the time left
 * @param runner runs it
 */
record Comparison(
        String id, String title, Unit unit, String library, int threads, Pace pace, int seconds, Runner runner) {

    /** Opens the ways of a comparison; each uses separate databases. */
    @FunctionalInterface
    interface Opening {
        List<Way> open(Databases databases) throws Exception;
    }

    /** Runs a comparison. */
    @FunctionalInterface
    interface Runner {
        void run(Comparison comparison, Databases databases, Results results) throws Exception;
    }

    /** The length of the rounds. */
    enum Pace {
        /** Many short slices. */
        SHORT,
        /** Also many short slices, for work that waits for a disk or a server, where CPU time is misleading. */
        WAITING,
        /** Fewer long slices: a starved thread waits for seconds. */
        LONG,
        /** A slice is a single execution. */
        SINGLE
    }

    /**
     * The unit of values. Immutable.
     *
     * @param label its name, as in "orders per ms"
     * @param perSecond the value of one operation per second
     * @param isTime whether values are durations of an operation, so that less is better
     */
    record Unit(String label, double perSecond, boolean isTime) {
        static Unit perMillisecond(String operations) {
            return new Unit(operations + " per ms", 1e-3, false);
        }

        static Unit perMicrosecond(String operations) {
            return new Unit(operations + " per us", 1e-6, false);
        }

        static Unit milliseconds() {
            return new Unit("ms", 1e3, true);
        }

        /** Converts a rate of operations per second. */
        double of(double rate) {
            return isTime ? perSecond / rate : perSecond * rate;
        }
    }
}
