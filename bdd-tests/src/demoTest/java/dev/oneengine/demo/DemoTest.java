package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DemoTest {
    private static final String COLOURS = "\u001b\\[\\d+m";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private int run(Style style, Function<Recorder, Subject> bug, Function<Recorder, Subject> fix) {
        return run(style, 50, bug, fix);
    }

    private int run(Style style, int millis, Function<Recorder, Subject> bug, Function<Recorder, Subject> fix) {
        Report report = new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8), style);
        return new Demo(report, page(), Duration.ofMillis(millis), bug, fix).run();
    }

    private Path page() {
        return folder.resolve("demo/index.html");
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<String> failedChecks() {
        return lines().stream().filter(line -> line.startsWith("  FAIL ")).toList();
    }

    @Test
    void the_demo_succeeds_if_it_shows_the_bug_and_the_fix() {
        assertThat(run(Style.PLAIN, 300, RacySubject::new, LibrarySubject::new)).isZero();

        assertThat(lines())
                .contains("1. The cache of the bug reports", "2. One Engine's EngineCache", "3. 8 writers at once")
                .contains("  9                                                | write: engine 2 over engine 1")
                .contains(
                        "  4                                                | wait: seen WAITING, stats().waits() = 1")
                .contains("  Two databases for one URL: the table of thread A does not exist for thread B.")
                .contains("  One database: each thread finds what the other one wrote.")
                .contains("  bad  2 threads asked for 1 URL and created 2 engines")
                .contains("  ok   thread A finds 2 rows, thread B finds 2 rows")
                .contains("Next")
                .allMatch(line -> line.length() <= 100 || line.equals(page().toString()));
        assertThat(failedChecks()).isEmpty();
    }

    @Test
    void the_last_line_is_the_path_of_the_page() throws Exception {
        run(Style.PLAIN, RacySubject::new, LibrarySubject::new);

        Path page = Path.of(lines().get(lines().size() - 1));
        assertThat(page).isEqualTo(page()).isAbsolute();
        assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    }

    @Test
    void plain_text_has_no_colours() {
        run(Style.PLAIN, RacySubject::new, LibrarySubject::new);

        assertThat(bytes.toString(StandardCharsets.UTF_8)).doesNotContain("\u001b");
    }

    @Test
    void colours_do_not_change_the_text() {
        run(Style.COLOUR, RacySubject::new, LibrarySubject::new);

        assertThat(lines())
                .contains("\u001b[1m1. The cache of the bug reports\u001b[0m")
                .contains("\u001b[31m  bad  \u001b[0mthread A uses engine 1, thread B engine 2")
                .anyMatch(line -> line.contains("\u001b[31mfailed: INSERT INTO plan VALUES (2):"))
                .anyMatch(line -> line.contains("\u001b[33mwait: seen WAITING"));
        assertThat(lines().stream().map(line -> line.replaceAll(COLOURS, "")))
                .contains("  ok   2 threads asked for 1 URL and created 1 engine")
                .allMatch(line -> line.length() <= 100 || line.equals(page().toString()));
    }

    @Test
    void the_demo_fails_if_the_fix_shows_the_bug() {
        assertThat(run(Style.PLAIN, RacySubject::new, RacySubject::new)).isEqualTo(1);

        assertThat(failedChecks())
                .contains(
                        "  FAIL 2 threads asked for 1 URL and created 2 engines",
                        "  FAIL thread A uses engine 1, thread B engine 2",
                        "  FAIL thread B did not wait for thread A to create the engine",
                        "  FAIL thread A finds 1 row, thread B finds no table");
        assertThat(lines()).contains("The demo failed: see FAIL above. The same as a page:");
        assertThat(page()).content().contains("<li class=\"unmet\"><b>FAIL</b>");
    }

    @Test
    void the_demo_fails_if_the_bug_does_not_occur() {
        assertThat(run(Style.PLAIN, LibrarySubject::new, LibrarySubject::new)).isEqualTo(1);

        assertThat(failedChecks()).contains("  FAIL thread B misses the table of thread A: no failure");
    }

    @Test
    void the_demo_fails_if_it_ends_early() {
        assertThat(run(Style.PLAIN, RacySubject::new, RaceDemoTest.Unfit::new)).isEqualTo(1);

        assertThat(lines().get(lines().size() - 1))
                .startsWith("FAIL The demo ended early:")
                .contains("no engine for A");
        assertThat(page()).doesNotExist();
    }

    @Test
    void the_program_succeeds_and_respects_NO_COLOR() throws Exception {
        String output = ChildJvm.of(Demo.class, page().toString(), "--colour", "--quick")
                .environment("NO_COLOR", "1")
                .quick()
                .run();

        assertThat(output).endsWith(page() + System.lineSeparator()).doesNotContain("\u001b");
    }
}
