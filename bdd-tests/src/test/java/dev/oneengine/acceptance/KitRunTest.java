package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.w3c.dom.Element;

/** Checks the results and messages of runs with different adapters. */
@Timeout(120)
class KitRunTest {
    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        AcceptanceKit.useService();
        AcceptanceKit.demand(null);
    }

    private Report run(Implementation implementation, String tags) {
        AcceptanceKit.use(implementation);
        return Report.of(
                selectPackage("dev.oneengine.acceptance"),
                Map.of(
                        "cucumber.filter.tags",
                        tags,
                        "cucumber.plugin",
                        "dev.oneengine.acceptance.report.Results:" + folder));
    }

    @Test
    void results_are_reported_by_id() throws IOException {
        run(RacyCache::new, "@EC-01 or @EC-12 or @EC-14");

        assertThat(Files.readString(folder.resolve("results.json")))
                .contains("\"version\": \"" + AcceptanceKit.SUITE_VERSION + "\"")
                .containsPattern(
                        "\"id\": \"EC-01\", .*\"status\": \"failed\", .*engines created: expected 1, but was 2")
                .containsPattern("\"id\": \"EC-12\", .*\"status\": \"passed\"")
                .containsPattern("\"id\": \"EC-14\", .*\"status\": \"skipped\"");
        assertThat(Files.readString(folder.resolve("junit.xml")))
                .contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"")
                .containsPattern("name=\"EC-01 .*<failure message=\"engines created: expected 1, but was 2\">");
    }

    @Test
    void reports_escape_failure_messages() throws Exception {
        Implementation broken = creation -> {
            throw new IllegalStateException("disk \"C:\\\" <full> & \u0001");
        };
        run(broken, "@EC-01");

        assertThat(Files.readString(folder.resolve("results.json"))).contains("disk \\\"C:\\\\\\\" <full> & \\u0001");
        Element failure = (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("junit.xml").toFile())
                .getElementsByTagName("failure")
                .item(0);
        assertThat(failure.getAttribute("message")).contains("disk \"C:\\\" <full> & ?");
    }

    @Test
    void a_scenario_demanded_by_the_profile_fails_instead_of_being_skipped() {
        AcceptanceKit.demand(Profile.CACHE);
        Report report = run(RightCache::new, "@EC-12 or @EC-14 or @EC-13");
        assertThat(report.ids(Status.SUCCESSFUL)).containsExactly("EC-12");
        assertThat(report.ids(Status.ABORTED)).as("not demanded").containsExactly("EC-13");
        assertThat(report.failures().get("EC-14"))
                .hasMessageContaining("The profile demands EVICTION, which the implementation does not offer");
    }

    /** Closes its engines but cannot report that they are closed. */
    private record Incomplete() implements Implementation {
        @Override
        public CacheUnderTest cache(Creation creation) {
            return new MyCacheTest.MyCacheUnderTest(new MyCache(creation::begins));
        }

        @Override
        public Set<Ability> abilities() {
            return Set.of(Ability.CLOSING, Ability.EVICTION);
        }
    }

    @Test
    void a_missing_method_of_an_adapter_is_named() {
        Report report = run(new Incomplete(), "@EC-01 or @EC-12");
        assertThat(report.ids(Status.FAILED)).containsExactly("EC-01", "EC-12");
        assertThat(report.failures().values())
                .allSatisfy(failure -> assertThat(failure)
                        .hasMessageContaining("offers CLOSING, so override EngineUnderTest.isClosed()")
                        .hasMessageContaining("offers EVICTION, so override CacheUnderTest.evict(String)"));
    }
}
