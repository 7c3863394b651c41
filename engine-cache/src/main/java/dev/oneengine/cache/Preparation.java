package dev.oneengine.cache;

/**
 * A one-time setup of an engine, such as a schema.
 *
 * <p>Steps with equal names are the same step, so a name must contain everything that makes a step different. An engine runs one step at
 * a time, so an implementation need not be thread-safe.
 *
 * @param <T> the type of the result; all callers get the same object
 */
public interface Preparation<T> {
    /** {@return the identity of this step among all steps of an engine; messages show it} */
    String name();

    /**
     * Runs the step. It may prepare other steps of the engine, but not itself.
     *
     * @param engine the engine to prepare
     * @return the result for all callers; {@code null} is a failure
     * @throws Exception if the step failed; the next call retries, so the step should undo its changes
     */
    T prepare(Engine engine) throws Exception;

    /**
     * Creates a step without a result.
     *
     * @param name the identity of the step among all steps of an engine
     * @param action the work
     * @return a step whose result is {@code true}
     */
    static Preparation<Boolean> of(String name, Action action) {
        return new Preparation<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Boolean prepare(Engine engine) throws Exception {
                action.run(engine);
                return true;
            }
        };
    }

    /** The work of a step without a result. */
    @FunctionalInterface
    interface Action {
        /**
         * Runs the work.
         *
         * @param engine the engine to prepare
         * @throws Exception if the work failed
         */
        void run(Engine engine) throws Exception;
    }
}
