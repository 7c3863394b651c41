package dev.oneengine.cache;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** The size of the model checker's searches. Stateless and thread-safe. */
final class Models {
    private Models() {}

    /**
     * Searches scenarios in which two threads make concurrent calls, and one more call follows.
     *
     * <p>Unlike by default, no calls precede the concurrent ones: they would create most engines before a race can.
     * The seed is fixed, so all runs find the same.
     *
     * @param scenarios the number of random scenarios
     * @param schedules the number of orders of steps to try in each scenario
     * @param calls the number of calls in each thread
     */
    static ModelCheckingOptions search(int scenarios, int schedules, int calls) {
        return new ModelCheckingOptions()
                .iterations(scenarios)
                .invocationsPerIteration(schedules)
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(calls)
                .actorsAfter(1);
    }

    /**
     * Like {@link #search}, but skips code that cannot fail here. Searching that code would take most of the time.
     *
     * <p>The checker has a blind spot: it regards an object as local to one thread if threads share the object only
     * through a concurrent map. So it never switches threads where code uses the object. For example, it tries no
     * switch between two steps of a creator on its holder. The compiler covers such steps by {@code @GuardedBy}, and
     * jcstress covers them in a long run.
     */
    static ModelCheckingOptions searchCache(int scenarios, int schedules, int calls) {
        return search(scenarios, schedules, calls)
                // The map is correct by its specification, so each of its calls counts as one step.
                .addGuarantee(forClasses("java.util.concurrent.ConcurrentHashMap")
                        .allMethods()
                        .treatAsAtomic())
                // Immutable objects, counters and logs that no code reads, and a recursion that looks endless to the
                // checker.
                .addGuarantee(forClasses(
                                DatabaseUrl.class.getName(),
                                StackReserve.class.getName(),
                                "java.util.concurrent.atomic.LongAdder",
                                "org.slf4j.helpers.NOPLogger")
                        .allMethods()
                        .ignore())
                // Part of the test, not of the code under test.
                .addGuarantee(forClasses(NumberedFactory.class.getName(), NumberedFactory.Source.class.getName())
                        .allMethods()
                        .ignore());
    }
}
