package dev.oneengine.acceptance;

import static java.util.stream.Collectors.toCollection;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectDirectory;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The results of the scenarios of a run, by ID. Thread-safe, as scenarios run in parallel. */
final class Report implements TestExecutionListener {
    private final Map<TestIdentifier, TestExecutionResult> results = new ConcurrentHashMap<>();

    /** Runs the scenarios of a folder with these tags, four at a time. */
    static Report of(Path features, String tags, String name) {
        return of(
                selectDirectory(features.toFile()),
                Map.of(
                        "cucumber.filter.tags", tags,
                        "cucumber.plugin", "html:build/reports/cucumber/" + name + ".html",
                        "cucumber.execution.parallel.enabled", "true",
                        "cucumber.execution.parallel.config.strategy", "fixed",
                        "cucumber.execution.parallel.config.fixed.parallelism", "4"));
    }

    /** Runs scenarios with parameters of Cucumber. */
    static Report of(DiscoverySelector scenarios, Map<String, String> parameters) {
        Report report = new Report();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(scenarios)
                                .filters(EngineFilter.includeEngines("cucumber"))
                                .configurationParameter("cucumber.glue", "dev.oneengine.acceptance.glue")
                                .configurationParameter("cucumber.publish.quiet", "true")
                                .configurationParameters(parameters)
                                .build(),
                        report);
        return report;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest() || result.getStatus() == Status.FAILED) {
            results.put(test, result);
        }
    }

    /** The IDs of the scenarios with this result. The examples of an outline share an ID, but not always a result. */
    Collection<String> ids(Status status) {
        return results.entrySet().stream()
                .filter(result -> result.getValue().getStatus() == status)
                .map(result -> id(result.getKey()))
                .collect(toCollection(TreeSet::new));
    }

    private static String id(TestIdentifier test) {
        return test.getTags().stream()
                .flatMap(tag -> ScenarioIds.of("@" + tag.getName()).stream())
                .findFirst()
                .orElseGet(test::getDisplayName);
    }

    /** The failures by ID. */
    Map<String, Throwable> failures() {
        Map<String, Throwable> failures = new LinkedHashMap<>();
        results.forEach((test, result) -> {
            if (result.getStatus() == Status.FAILED) {
                failures.put(id(test), result.getThrowable().orElseThrow());
            }
        });
        return failures;
    }
}
