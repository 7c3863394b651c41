package dev.oneengine.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Shows the race of the bug reports and the fix, as text and as a page, and fails if a run shows anything else. A program:
 * {@code java ... dev.oneengine.demo.Demo PAGE [--colour] [--quick]}. Not thread-safe; use one instance per run.
 */
public final class Demo {
    private static final String LEAD =
            "Two threads ask for the database behind one URL. This run shows what each of them got: first from a map without"
                    + " a lock, then from this library.";
    private static final String RACE =
            "A map, and four steps without a lock: check, create, write, read. The demo holds the threads between the steps,"
                    + " so that they interleave in the order that breaks the cache. It changes nothing else.";
    private static final String FIX =
            "The same two threads. The demo holds thread A while it creates the engine, until thread B is waiting for it.";
    private static final String CONTENTION = "Each contender runs for %.1f s, with a pool of " + ContentionDemo.WRITERS
            + " connections and a busy timeout of 5 s. A transaction reads a counter, inserts a row and writes the counter"
            + " plus one. Nothing retries a failed transaction. The longest time without a commit shows starvation: where it"
            + " is as long as the run, one thread got nothing done. A contender that lets a thread starve may commit more.";
    private static final List<Step> NEXT = List.of(
            new Step(
                    "Use it",
                    "README.md shows the dependency and the first ten lines; docs/recipes.md has Spring Boot and more."),
            new Step(
                    "Test your own cache",
                    "bdd-tests/README.md: your cache, adapted in 20 lines, runs through the same races."),
            new Step("See all rules", "./gradlew acceptance runs every scenario and prints the path of its report."));

    private final Report report;
    private final Path page;
    private final Duration duration;
    private final Function<Recorder, Subject> bug;
    private final Function<Recorder, Subject> fix;

    /**
     * Creates a demo.
     *
     * @param report the printed report
     * @param page the file for the page
     * @param duration the time for each contender
     * @param bug creates the cache that must show the bug
     * @param fix creates the cache that must not
     */
    Demo(
            Report report,
            Path page,
            Duration duration,
            Function<Recorder, Subject> bug,
            Function<Recorder, Subject> fix) {
        this.report = report;
        this.page = page;
        this.duration = duration;
        this.bug = bug;
        this.fix = fix;
    }

    /**
     * Runs the demo and exits, with code 0 only if the run showed both the bug and the fix.
     *
     * @param args the file for the page; {@code --colour} for colours, unless NO_COLOR is set; {@code --quick} for shorter contests
     */
    public static void main(String[] args) {
        Style style = Style.of(List.of(args), System.getenv("NO_COLOR"));
        Demo demo = new Demo(
                new Report(System.out, style),
                Path.of(args[0]),
                Duration.ofMillis(List.of(args).contains("--quick") ? 300 : 1_000),
                RacySubject::new,
                LibrarySubject::new);
        System.exit(demo.run());
    }

    /** Runs the demo and returns the exit code. */
    int run() {
        try {
            return show() ? 0 : 1;
        } catch (Exception e) {
            report.broken(e);
            return 1;
        }
    }

    private boolean show() throws Exception {
        RaceResult race = race(bug);
        report.race(1, race, RACE, race.showsTheBug());
        RaceResult fixed = race(fix);
        report.race(2, fixed, FIX, fixed.showsTheFix());
        List<Contention> contention = new ContentionDemo(duration).run();
        List<Check> contentionChecks = checks(contention);
        String explanation = String.format(Locale.ROOT, CONTENTION, duration.toMillis() / 1e3);
        report.contention(3, contention, explanation, contentionChecks);

        Page html = new Page("One URL, two threads", LEAD);
        html.races(race, RACE, fixed, FIX);
        html.contention(contention, explanation, contentionChecks);
        html.next(NEXT);
        write(html);
        boolean met = Stream.of(race.showsTheBug(), fixed.showsTheFix(), contentionChecks)
                .flatMap(List::stream)
                .allMatch(Check::met);
        report.next(NEXT);
        report.end(met, page.toAbsolutePath());
        return met;
    }

    private static RaceResult race(Function<Recorder, Subject> made) throws Exception {
        Recorder recorder = new Recorder();
        try (Subject subject = made.apply(recorder)) {
            return new RaceDemo(subject, recorder).run();
        }
    }

    private static List<Check> checks(List<Contention> results) {
        List<Check> checks = new ArrayList<>();
        for (Contention result : results) {
            result.conflicts().ifPresent(checks::add);
            checks.add(result.keepsAll());
        }
        return checks;
    }

    private void write(Page html) throws IOException {
        Files.createDirectories(page.toAbsolutePath().getParent());
        Files.writeString(page, html.markup());
    }
}
