package dev.oneengine.cache;

/**
 * What an engine needs once before it is used, such as a schema.
 *
 * <p>Steps of equal name are the same step: whoever makes a step puts into the name whatever would make it another one.
 * An engine runs its steps one at a time, so an implementation need not be thread-safe.
 *
 * @param <T> what the step finds out; every caller gets the same object
 */
public interface Preparation<T> {
    /**
     * What tells this step from all others of an engine.
     *
     * @return the name, which also stands in messages
     */
    String name();

    /**
     * Does the work. It may ask the engine for other steps, but not for itself.
     *
     * @param engine the engine to prepare
     * @return what all callers get; {@code null} is a failure
     * @throws Exception if the step failed; the next call tries again, so it should leave things as they were
     */
    T prepare(Engine engine) throws Exception;

    /**
     * Makes a step that finds nothing out.
     *
     * @param name what tells this step from all others of an engine
     * @param action the work
     * @return a step whose result says no more than that it is done
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

    /** Work on an engine. */
    @FunctionalInterface
    interface Action {
        /**
         * Does the work.
         *
         * @param engine the engine to prepare
         * @throws Exception if it failed
         */
        void run(Engine engine) throws Exception;
    }
}
