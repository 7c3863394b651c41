package dev.oneengine.benchmark;

/**
 * One way to do the work of a comparison. Immutable and thread-safe, if its functions are.
 *
 * @param name the name in tables; the same in all comparisons
 * @param work one execution; all threads of the comparison repeat it
 * @param beside the work of an additional thread meanwhile, or {@link #NOTHING}
 * @param mayFail whether executions may fail under contention; such failures are counted
 * @param check compares the database with the reported operations
 */
record Way(String name, Work work, Work beside, boolean mayFail, Check check) {
    static final Work NOTHING = () -> 0;

    Way(String name, Work work, Check check) {
        this(name, work, NOTHING, false, check);
    }

    Way besides(Work other) {
        return new Way(name, work, other, mayFail, check);
    }

    Way thatMayFail() {
        return new Way(name, work, beside, true, check);
    }

    Way checkedBy(Check other) {
        return new Way(name, work, beside, mayFail, other);
    }

    /** Some work. */
    @FunctionalInterface
    interface Work {
        /**
         * Executes the work once and returns the number of operations. The number may exceed one, because fast lookups
         * run in batches.
         */
        long run() throws Exception;
    }

    /** Compares the database with the reported operations. */
    @FunctionalInterface
    interface Check {
        /**
         * Checks.
         *
         * @throws AssertionError if the database holds fewer operations than reported, or more than executed
         */
        void check(Tally tally) throws Exception;
    }

    /**
     * The executions of a way. Immutable.
     *
     * @param operations the operations reported as done
     * @param failed the operations reported as failed. Some may be in the database, because sqlite-jdbc can report a
     * commit as failed although it succeeded
     * @param beside the operations of the additional thread
     */
    record Tally(long operations, long failed, long beside) {
        static final Tally NONE = new Tally(0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(operations + other.operations, failed + other.failed, beside + other.beside);
        }

        /** Checks a number of operations that the database holds. */
        void expect(String what, long found) {
            if (found < operations || found > operations + failed) {
                throw new AssertionError(what + ": reported " + operations + " operations and " + failed
                        + " failures, but the database holds " + found);
            }
        }
    }
}
