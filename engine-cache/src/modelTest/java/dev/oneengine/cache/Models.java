package dev.oneengine.cache;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How much is searched. Stateless and thread-safe. */
final class Models {
    private Models() {}

    /**
     * Searches scenarios of two threads, in each of which some calls run beside each other and one comes after.
     *
     * <p>Nothing runs before them, against the default: it would most likely create every engine before the race for it.
     * The seed is fixed, so a run finds what any other finds.
     *
     * @param scenarios how many are made up
     * @param schedules how many orders of its steps are tried for each
     * @param calls how many calls each thread makes
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
     * The same, without a look into what cannot go wrong here, which is most of what there would be to try.
     *
     * <p>What a thread shares with others through a concurrent map alone, the checker takes for that thread's own, and never
     * switches where the thread uses it. So it does not see the creator of a holder interrupted between two steps on that
     * holder. The compiler does, by {@code @GuardedBy}, and jcstress in a long run.
     */
    static ModelCheckingOptions searchCache(int scenarios, int schedules, int calls) {
        return search(scenarios, schedules, calls)
                // Correct by its specification, and each of its calls one step.
                .addGuarantee(forClasses("java.util.concurrent.ConcurrentHashMap")
                        .allMethods()
                        .treatAsAtomic())
                // Immutable, or counted and logged and never read again, or a recursion, which it takes for a loop
                // without end.
                .addGuarantee(forClasses(
                                DatabaseUrl.class.getName(),
                                StackReserve.class.getName(),
                                "java.util.concurrent.atomic.LongAdder",
                                "org.slf4j.helpers.NOPLogger")
                        .allMethods()
                        .ignore())
                // Part of the test.
                .addGuarantee(forClasses(NumberedFactory.class.getName(), NumberedFactory.Source.class.getName())
                        .allMethods()
                        .ignore());
    }
}
