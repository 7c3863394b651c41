package dev.oneengine.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.pitest.classpath.CodeSource;
import org.pitest.coverage.CoverageDatabase;
import org.pitest.coverage.TestInfo;
import org.pitest.mutationtest.build.DefaultTestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiserFactory;

/**
 * Limits the time of the tests that PIT runs for one mutant. PIT runs all tests that reach the line of a surviving
 * mutant, which takes minutes in the core classes of this library. Within the budget, PIT keeps its order: quick tests
 * first. Leaving out tests can only lower the score. Immutable and thread-safe.
 */
public final class MutationTestBudget implements TestPrioritiserFactory {
    private static final int MILLIS = Integer.getInteger("oneengine.mutation.budget", 5_000);

    /** Called by PIT's service loader. */
    public MutationTestBudget() {}

    @Override
    public TestPrioritiser makeTestPrioritiser(Properties properties, CodeSource code, CoverageDatabase coverage) {
        TestPrioritiser all = new DefaultTestPrioritiser(coverage);
        return mutation -> withinBudget(all.assignTests(mutation));
    }

    private static List<TestInfo> withinBudget(List<TestInfo> tests) {
        List<TestInfo> affordable = new ArrayList<>(tests.size());
        int left = MILLIS;
        for (TestInfo test : tests) {
            if (affordable.isEmpty() || test.getTime() <= left) {
                affordable.add(test);
                left -= test.getTime();
            }
        }
        return affordable;
    }

    @Override
    public String description() {
        return "the tests of a mutant, within a budget of time";
    }
}
