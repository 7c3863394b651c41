package dev.oneengine.testing;

import static org.junit.platform.engine.TestExecutionResult.Status.FAILED;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.pitest.testapi.AbstractTestUnit;
import org.pitest.testapi.Description;
import org.pitest.testapi.ResultCollector;

/** A test method, run by PIT with all its parameters, once per mutant. Confined to its thread. */
final class MutationTest extends AbstractTestUnit {
    private static final Launcher LAUNCHER = LauncherFactory.create();

    private final LauncherDiscoveryRequest request;

    MutationTest(Class<?> type, Method method, List<String> excludedTags) {
        super(new Description(method.getName(), type));
        LauncherDiscoveryRequestBuilder builder =
                LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectMethod(type, method));
        if (!excludedTags.isEmpty()) {
            builder.filters(TagFilter.excludeTags(excludedTags));
        }
        this.request = builder.build();
    }

    @Override
    public void execute(ResultCollector results) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        results.notifyStart(getDescription());
        LAUNCHER.execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == FAILED) {
                    failure.compareAndSet(null, result.getThrowable().orElseGet(AssertionError::new));
                }
            }
        });
        Throwable first = failure.get();
        if (first == null) {
            results.notifyEnd(getDescription());
        } else {
            results.notifyEnd(getDescription(), first);
        }
    }
}
