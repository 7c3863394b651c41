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
import org.junit.platform.launcher.TestPlan;

/** What has become of the scenarios of a run, which are run in parallel. Thread-safe. */
final class Report implements TestExecutionListener {
    private final Map<TestIdentifier, TestExecutionResult> results = new ConcurrentHashMap<>();
    private volatile TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest() || result.getStatus() == Status.FAILED) {
            results.put(test, result);
        }
    }

    /** The names of the scenarios that have ended so; an outline may be among those that have failed and those that have not. */
    Collection<String> names(Status status) {
        return results.entrySet().stream()
                .filter(result -> result.getValue().getStatus() == status)
                .map(result -> name(result.getKey()))
                .collect(toCollection(TreeSet::new));
    }

    /** Examples are called by the name of their outline. */
    private String name(TestIdentifier test) {
        TestIdentifier scenario = test;
        if (test.getDisplayName().startsWith("Example #")) {
            scenario = plan.getParent(test).flatMap(plan::getParent).orElseThrow();
        }
        return scenario.getDisplayName();
    }

    /** Why scenarios have failed. */
    Map<String, Throwable> failures() {
        Map<String, Throwable> failures = new LinkedHashMap<>();
        results.forEach((test, result) -> {
            if (result.getStatus() == Status.FAILED) {
                failures.put(name(test), result.getThrowable().orElseThrow());
            }
        });
        return failures;
    }
}
