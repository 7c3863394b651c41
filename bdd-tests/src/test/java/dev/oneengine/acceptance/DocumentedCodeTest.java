package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.oneengine.testing.DocumentedCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@Timeout(120)
class DocumentedCodeTest {
    @Test
    void the_code_in_the_module_readme_works() {
        Report report = new Report();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(MyCacheTest.class))
                                .build(),
                        report);

        assertThat(report.failures()).isEmpty();
        assertThat(report.ids(Status.SUCCESSFUL)).anyMatch("EC-02"::equals);
        // Scenarios of missing abilities are skipped, and do not count as passed.
        assertThat(report.ids(Status.ABORTED)).anyMatch("EC-14"::equals);
        assertThat(report.ids(Status.SUCCESSFUL)).doesNotContainAnyElementsOf(report.ids(Status.ABORTED));
    }

    @Test
    void all_code_in_the_readme_is_tested() {
        assertThat(DocumentedCode.missing(Path.of("README.md"), Path.of("src/test/java")))
                .isEmpty();
    }
}
