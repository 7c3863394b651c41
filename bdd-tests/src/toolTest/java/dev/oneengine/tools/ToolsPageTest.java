package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.DocumentedLinks;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on tools names a test in each row of its table, and each of these tests exists. */
class ToolsPageTest {
    private static final Path PAGE = Path.of("../docs/tools.md");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    private static List<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| "))
                .skip(1) // the header
                .toList();
    }

    @Test
    void every_row_names_a_test() throws IOException {
        assertThat(rows())
                .hasSizeGreaterThan(20)
                .allSatisfy(row -> assertThat(TEST.matcher(row).find()).as(row).isTrue());
    }

    @Test
    void every_named_test_exists() throws IOException {
        assertThat(rows())
                .allSatisfy(row -> assertThat(TEST.matcher(row)
                                .results()
                                .filter(test -> !exists(test))
                                .map(MatchResult::group))
                        .isEmpty());
    }

    private static boolean exists(MatchResult test) {
        try {
            Class<?> type = Class.forName(ToolsPageTest.class.getPackageName() + "." + test.group(1));
            Method method = type.getDeclaredMethod(test.group(2));
            return method.isAnnotationPresent(Test.class);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    @Test
    void every_link_has_a_target() {
        assertThat(DocumentedLinks.dead(PAGE)).isEmpty();
    }
}
