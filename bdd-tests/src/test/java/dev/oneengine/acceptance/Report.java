package dev.oneengine.acceptance;

import static java.util.stream.Collectors.toCollection;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** The results of the scenarios of a run, by ID. Thread-safe, as scenarios run in parallel. */
final class Report implements TestExecutionListener {
    private final Map<TestIdentifier, TestExecutionResult> results = new ConcurrentHashMap<>();

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
