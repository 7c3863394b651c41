package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each scenario has preconditions, then actions, then outcomes, and its title is clear without its steps. */
class FeatureStyleTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");

    /** The steps of each scenario by its ID, with the keyword that {@code And} stands for. */
    private final Map<String, List<String>> steps = new TreeMap<>();

    private final Map<String, String> titles = new TreeMap<>();

    @BeforeEach
    void read() throws IOException {
        try (Stream<Path> features = Files.list(FEATURES)) {
            for (Path feature : features.toList()) {
                read(Files.readAllLines(feature));
            }
        }
    }

    private void read(List<String> lines) {
        String id = "";
        String keyword = "";
        for (String line : lines) {
            String text = line.strip();
            id = ScenarioIds.of(text).orElse(id);
            if (text.startsWith("Background:") || text.startsWith("Rule:") || text.startsWith("Feature:")) {
                id = "";
            } else if (text.startsWith("Scenario") && !id.isEmpty()) {
                titles.put(id, text.replaceFirst("^Scenario( Outline)?: ", ""));
            } else if (text.matches("(Given|When|Then|And) .*")) {
                keyword = text.startsWith("And ") ? keyword : text.substring(0, text.indexOf(' '));
                steps.computeIfAbsent(id, any -> new ArrayList<>()).add(keyword + text.substring(text.indexOf(' ')));
            }
        }
        steps.remove(""); // the preconditions of backgrounds
    }

    @Test
    void each_scenario_has_preconditions_then_actions_then_outcomes() {
        assertThat(steps).hasSameSizeAs(titles);
        assertThat(steps)
                .allSatisfy((id, all) -> assertThat(
                                all.stream().map(step -> step.substring(0, 1)).reduce("", String::concat))
                        .matches("G*W+T+"));
    }

    @Test
    void each_outcome_step_is_one_assertion() {
        assertThat(steps)
                .allSatisfy((id, all) -> assertThat(all)
                        .filteredOn(step -> step.startsWith("Then"))
                        .noneMatch(step -> step.replaceAll("\"[^\"]*\"", "").contains(" and ")));
    }

    @Test
    void no_title_has_a_pronoun_as_its_subject() {
        assertThat(titles.values())
                .isNotEmpty()
                .noneMatch(title -> title.matches("(?i)(it|its|they|this|that|who|whoever|what|somebody|nobody)\\b.*"));
    }
}
