package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reports of different versions can be compared only if the ID of a scenario never changes. */
class ScenarioIdsTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");
    private static final Path LIST = Path.of("src/test/resources/scenario-ids.txt");
    private static final String RETIRED = " retired";

    @Test
    void each_scenario_has_an_id() throws IOException {
        List<String> without = new ArrayList<>();
        for (Path feature : features()) {
            String tags = "";
            for (String line : Files.readAllLines(feature)) {
                if (line.strip().startsWith("Scenario") && ScenarioIds.of(tags).isEmpty()) {
                    without.add(feature.getFileName() + ": " + line.strip());
                }
                tags = line;
            }
        }
        assertThat(without).isEmpty();
    }

    /** The list keeps the IDs of deleted scenarios so that no ID is reused. */
    @Test
    void the_list_has_all_ids_and_no_id_is_used_twice() throws IOException {
        List<String> used = new ArrayList<>();
        for (Path feature : features()) {
            Files.readAllLines(feature).forEach(line -> ScenarioIds.of(line).ifPresent(used::add));
        }
        List<String> listed = Files.readAllLines(LIST);
        assertThat(listed.stream().map(line -> line.replace(RETIRED, ""))).doesNotHaveDuplicates();
        assertThat(used)
                .as("in the features and not marked as retired in " + LIST + ", once each")
                .containsExactlyInAnyOrderElementsOf(
                        listed.stream().filter(line -> !line.endsWith(RETIRED)).toList());
    }

    /** Cucumber's HTML report shows tags, and has no other place for the version. */
    @Test
    void each_feature_has_the_version_of_the_suite_as_a_tag() throws IOException {
        for (Path feature : features()) {
            assertThat(Files.readAllLines(feature).get(0).split(" "))
                    .as(feature.toString())
                    .contains("@suite-" + AcceptanceKit.SUITE_VERSION);
        }
    }

    @Test
    void an_id_is_recognised_only_as_a_whole_tag() {
        assertThat(ScenarioIds.of("    @EC-07 @issue-3950")).contains("EC-07");
        assertThat(ScenarioIds.of("    @issue-3950 @EC-07")).contains("EC-07");
        assertThat(ScenarioIds.of("    @EC-071")).isEmpty();
        assertThat(ScenarioIds.of("    Scenario: @EC-07")).isEmpty();
    }

    private static List<Path> features() throws IOException {
        try (Stream<Path> files = Files.list(FEATURES)) {
            return files.filter(file -> file.toString().endsWith(".feature"))
                    .sorted()
                    .toList();
        }
    }
}
