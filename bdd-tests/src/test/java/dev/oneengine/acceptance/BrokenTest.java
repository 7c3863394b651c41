package dev.oneengine.acceptance;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult.Status;

/**
 * Shows that each scenario can fail: for each broken implementation, exactly the expected scenarios fail, each in its
 * own check.
 */
@Timeout(120)
class BrokenTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");

    @ParameterizedTest
    @MethodSource("dev.oneengine.acceptance.BrokenImplementation#all")
    void a_broken_implementation_fails_exactly_the_expected_scenarios(BrokenImplementation broken) throws IOException {
        check(broken, broken.name(), broken.tags(), broken.mustFail());
    }

    @ParameterizedTest
    @MethodSource("dev.oneengine.acceptance.RightImplementation#all")
    void a_correct_implementation_of_any_shape_passes_all_scenarios(RightImplementation right) throws IOException {
        check(right, right.name(), "@stress or not @stress", Set.of());
    }

    @Test
    void each_scenario_fails_for_some_broken_implementation() throws IOException {
        Set<String> failing = BrokenImplementation.all()
                .filter(broken -> !broken.name().equals(BrokenImplementation.REPORTS_NO_CREATION))
                .flatMap(broken -> broken.mustFail().stream())
                .collect(toCollection(TreeSet::new));
        assertThat(failing).isEqualTo(ScenarioIds.all(FEATURES));
        ConformancePage.compareThisLibrary(failing.size());
    }

    private static void check(Implementation implementation, String name, String tags, Set<String> mustFail)
            throws IOException {
        Path copies = Path.of("build/features", name);
        FeatureTagger.mark(FEATURES, mustFail, copies);
        AcceptanceKit.use(implementation);

        Report report = Report.of(copies, tags, name);

        report.failures()
                .forEach((scenario, failure) -> assertThat(failure)
                        .as(scenario)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("What the threads did"));
        assertThat(report.ids(Status.FAILED))
                .as(() -> "what failed, of " + report.failures())
                .containsExactlyInAnyOrderElementsOf(mustFail);
        assertThat(report.ids(Status.SUCCESSFUL))
                .isNotEmpty()
                .allSatisfy(scenario -> assertThat(mustFail).doesNotContain(scenario));
        ConformancePage.compare(name, report);
    }
}
