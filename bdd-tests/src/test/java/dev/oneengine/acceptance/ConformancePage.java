package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult.Status;

/**
 * The page docs/conformance.md: tests compare it with each run, and {@code ./gradlew conformance} rewrites it from a
 * run. Not thread-safe.
 */
final class ConformancePage {
    private static final Path PAGE = Path.of("../docs/conformance.md");
    private static final boolean WRITES = Boolean.getBoolean("oneengine.conformance.write");

    private ConformancePage() {}

    /** Compares the page with the results of a run. Ignores implementations without a section. */
    static void compare(String name, Report report) throws IOException {
        for (Conformance conformance :
                Conformance.all().filter(any -> any.name().equals(name)).toList()) {
            Collection<String> failed = report.ids(Status.FAILED);
            assertThat(failed).as("the explained failures of " + name).isEqualTo(conformance.failures());
            Collection<String> passed = new TreeSet<>(report.ids(Status.SUCCESSFUL));
            passed.removeAll(failed);
            String row = conformance.row(passed, failed, report.ids(Status.ABORTED));
            if (WRITES) {
                write(conformance, row);
            }
            assertThat(Files.readString(PAGE))
                    .as("docs/conformance.md; run ./gradlew conformance to update it")
                    .contains("\n" + row + "\n", "\n## " + conformance.title() + "\n\n" + conformance.section());
        }
    }

    /** Compares the row of this library, which passes all scenarios. */
    static void compareThisLibrary(int scenarios) throws IOException {
        assertThat(Files.readString(PAGE)).contains("\n| This library | " + scenarios + " | none | 0 |\n");
    }

    private static void write(Conformance conformance, String row) throws IOException {
        String page = Files.readString(PAGE);
        page = replace(page, "(?m)^\\| \\[" + Pattern.quote(conformance.title()) + "\\].*$", row);
        page = replace(
                page,
                "(?s)(?<=\n## " + Pattern.quote(conformance.title()) + "\n\n).*?(?=\n## |\\z)",
                conformance.section());
        Files.writeString(PAGE, page);
    }

    private static String replace(String page, String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(page);
        assertThat(matcher.find())
                .as("a place in docs/conformance.md for: " + text)
                .isTrue();
        return matcher.replaceFirst(Matcher.quoteReplacement(text));
    }
}
