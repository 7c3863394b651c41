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
 * Shows the race of the bug reports and the fix, as text and as a page, and fails if it saw anything else. A program of its
 * own, for one run: {@code java ... dev.oneengine.demo.Demo PAGE [--colour]}.
 */
public final class Demo {
    private static final String LEAD =
            "Two threads ask for the database behind one URL. What they get, as this run saw it: without a lock, and with"
                    + " this library.";
    private static final String RACE =
            "Check, create, write, read on a map, and no lock around them. The threads are held between these steps, so that"
                    + " they meet in the order that breaks it. What they see, and do then, is their own.";
    private static final String FIX =
            "The same two threads. Thread A is held while it creates the engine until thread B is seen waiting for it.";
    private static final String CONTENTION = "Each contender is measured for %.1f s, with a pool of "
            + ContentionDemo.WRITERS + " connections and a busy"
            + " timeout of 5 s. A transaction reads a counter, inserts a row and writes the counter plus one. What"
            + " fails is counted and not done again. The longest transaction counts from the wish for a connection to"
            + " the end, committed or failed. Where it is as long as the measurement, a thread waited all the time.";

    private final Report report;
    private final Path page;
    private final Duration duration;
    private final Function<Recorder, Subject> bug;
    private final Function<Recorder, Subject> fix;

    /**
     * Makes a demo.
     *
     * @param report where it prints
     * @param page where it writes its page
     * @param duration how long each contender is measured
     * @param bug what must show the bug
     * @param fix what must not
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
     * Runs the demo and ends the process, with exit code 0 only if all came out as it should.
     *
     * @param args where to write the page; {@code --colour} for a text in colours, unless NO_COLOR is set
     */
    public static void main(String[] args) {
        Style style = Style.of(List.of(args), System.getenv("NO_COLOR"));
        Demo demo = new Demo(
                new Report(System.out, style),
                Path.of(args[0]),
                Duration.ofSeconds(1),
                RacySubject::new,
                LibrarySubject::new);
        System.exit(demo.run());
    }

    /** Shows everything, and returns the exit code. */
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
        write(html);
        boolean met = Stream.of(race.showsTheBug(), fixed.showsTheFix(), contentionChecks)
                .flatMap(List::stream)
                .allMatch(Check::met);
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
