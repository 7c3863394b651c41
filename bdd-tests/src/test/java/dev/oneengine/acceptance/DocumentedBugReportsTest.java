package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/porting.md maps each bug report to the scenarios with its tag, and back. */
class DocumentedBugReportsTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");
    private static final Path GUIDE = Path.of("../docs/porting.md");
    private static final Pattern ID = Pattern.compile("[A-Z]{2}-\\d{2}");

    @ParameterizedTest
    @ValueSource(strings = {"7566", "3950", "7420"})
    void the_guide_lists_the_scenarios_of_each_bug_report(String report) throws IOException {
        assertThat(inGuide(report)).isNotEmpty().isEqualTo(tagged("@issue-" + report));
    }

    private static Set<String> inGuide(String report) throws IOException {
        String guide = Files.readString(GUIDE);
        int start = guide.indexOf("### Bug " + report);
        String section = guide.substring(start, guide.indexOf("\n##", start));
        return ID.matcher(section).results().map(id -> id.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Each scenario has its own tags in one line; no feature and no rule has the tag of a report. */
    private static Set<String> tagged(String tag) throws IOException {
        Set<String> ids = new TreeSet<>();
        try (Stream<Path> features = Files.list(FEATURES)) {
            for (Path feature : features.toList()) {
                for (String line : Files.readAllLines(feature)) {
                    if (line.contains(tag)) {
                        ids.add(ScenarioIds.of(line).orElseThrow());
                    }
                }
            }
        }
        return ids;
    }
}
