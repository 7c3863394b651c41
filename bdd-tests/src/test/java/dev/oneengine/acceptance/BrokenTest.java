package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectDirectory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit bites: of each broken implementation exactly those scenarios fail that must, and for a reason of theirs. */
@Timeout(120)
class BrokenTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");

    @ParameterizedTest
    @MethodSource("dev.oneengine.acceptance.BrokenImplementation#all")
    void what_must_fail_fails_and_nothing_else(BrokenImplementation broken) throws IOException {
        check(broken);
    }

    @Test
    void what_is_right_passes_even_if_it_is_made_by_hand() throws IOException {
        check(BrokenImplementation.nothing());
    }

    private static void check(BrokenImplementation broken) throws IOException {
        String name = broken.name();
        Path copies = Path.of("build/features", name);
        FeatureTagger.mark(FEATURES, broken.mustFail(), copies);
        AcceptanceKit.use(broken);
        Report report = new Report();

        LauncherFactory.create().execute(request(copies, name, broken.tags()), report);

        report.failures()
                .forEach((scenario, failure) -> assertThat(failure).as(scenario).isInstanceOf(AssertionError.class));
        assertThat(report.ids(Status.FAILED))
                .as(() -> "what failed, of " + report.failures())
                .containsExactlyInAnyOrderElementsOf(broken.mustFail());
        assertThat(report.ids(Status.SUCCESSFUL))
                .hasSizeGreaterThan(5)
                .allSatisfy(scenario -> assertThat(broken.mustFail()).doesNotContain(scenario));
    }

    private static LauncherDiscoveryRequest request(Path features, String name, String tags) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectDirectory(features.toFile()))
                .filters(EngineFilter.includeEngines("cucumber"))
                .configurationParameters(Map.of(
                        "cucumber.glue", "dev.oneengine.acceptance.glue",
                        "cucumber.publish.quiet", "true",
                        "cucumber.filter.tags", tags,
                        "cucumber.plugin", "html:build/reports/cucumber/" + name + ".html",
                        "cucumber.execution.parallel.enabled", "true",
                        "cucumber.execution.parallel.config.strategy", "fixed",
                        "cucumber.execution.parallel.config.fixed.parallelism", "4"))
                .build();
    }
}
