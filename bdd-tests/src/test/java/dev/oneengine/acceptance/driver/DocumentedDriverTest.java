package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the statements of the pages on drivers and on the Python port. */
class DocumentedDriverTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern SAID = Pattern.compile("(?m)^    (driver|suite) +(\\{.*})$");
    private static final Pattern TYPE = Pattern.compile("(?m)^\\| (driver|suite) \\| `([a-z]+)` \\|");
    private static final Pattern PYTHON = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_example_uses_only_messages_of_the_table() throws Exception {
        String page = Files.readString(DOCS.resolve("driver.md"));
        Set<String> table = new LinkedHashSet<>();
        TYPE.matcher(page).results().forEach(row -> table.add(row.group(1) + " " + row.group(2)));

        List<MatchResult> example = SAID.matcher(page).results().toList();

        assertThat(example).hasSizeGreaterThan(10);
        for (MatchResult line : example) {
            Message message = Message.read(line.group(2));
            assertThat(table).contains(line.group(1) + " " + message.type());
        }
    }

    @Test
    void a_driver_has_at_most_150_lines() throws IOException {
        for (String driver : List.of("driver.py", "asyncio_cache.py")) {
            assertThat(Files.readAllLines(DOCS.resolve("porting/python").resolve(driver)))
                    .as(driver)
                    .hasSizeLessThanOrEqualTo(150);
        }
    }

    @Test
    void the_settings_in_the_porting_guide_match_the_tested_code() throws IOException {
        String code = Files.readString(DOCS.resolve("porting/python/sqlalchemy_engines.py"));

        List<String> blocks = PYTHON.matcher(Files.readString(DOCS.resolve("porting.md")))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();

        assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(code).contains(block));
    }
}
