package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The printed report, 100 columns wide. Not thread-safe. */
final class Report {
    private static final int COLUMN = 46;

    private final PrintStream out;
    private final Style style;

    Report(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Prints a race: its cache, its steps and its result. */
    void race(int number, RaceResult race, String explanation, List<Check> checks) {
        title(number, race.title(), explanation);
        steps(race);
        out.println("  " + (race.isOneDatabase() ? style.good(race.verdict()) : style.bad(race.verdict())));
        checks(checks);
    }

    /** Prints the results of the contenders. */
    void contention(int number, List<Contention> results, String explanation, List<Check> checks) {
        title(number, ContentionDemo.WRITERS + " writers at once", explanation);
        contenders(results);
        checks(checks);
    }

    /** Prints the next steps for the reader. */
    void next(List<Step> steps) {
        out.println();
        out.println(style.strong("Next"));
        for (Step step : steps) {
            String title = pad(step.title(), 22);
            for (String line : Wrapping.wrap(step.text(), 72)) {
                out.println("  " + style.strong(title) + line);
                title = pad("", 22);
            }
        }
    }

    /** Ends with the path of the page, on a separate line. */
    void end(boolean met, Path page) {
        out.println();
        out.println(
                met
                        ? style.good(
                                "The demo showed the bug and the fix. The same as a page, with a drawing of the threads:")
                        : style.bad("The demo failed: see FAIL above. The same as a page:"));
        out.println(page);
    }

    /** Prints the failure that ended the demo. */
    void broken(Exception cause) {
        out.println();
        out.println(style.bad("FAIL The demo ended early: " + cause));
    }

    private void title(int number, String title, String explanation) {
        out.println();
        out.println(style.strong(number + ". " + title));
        Wrapping.wrap(explanation, 97).forEach(line -> out.println("   " + line));
        out.println();
    }

    private void steps(RaceResult race) {
        out.println(style.strong("    " + pad(Lane.A.title()) + " | " + Lane.B.title()));
        out.println("    " + "-".repeat(COLUMN) + "-+-" + "-".repeat(COLUMN));
        int number = 0;
        for (Event event : race.events()) {
            number++;
            step(String.format(Locale.ROOT, "%3d ", number), event);
        }
        out.println();
    }

    private void step(String number, Event event) {
        String margin = number;
        boolean first = true;
        for (String line : Wrapping.wrap(event.kind().word() + ": " + event.text(), COLUMN - 2)) {
            String cell = first ? line : "  " + line;
            String text = paint(event.kind(), event.lane() == Lane.A ? pad(cell) : cell);
            out.println(margin + (event.lane() == Lane.A ? text + " |" : pad("") + " | " + text));
            margin = "    ";
            first = false;
        }
    }

    private String paint(Kind kind, String text) {
        return switch (kind) {
            case FAILED -> style.bad(text);
            case WAIT -> style.mark(text);
            default -> text;
        };
    }

    private static String pad(String text) {
        return pad(text, COLUMN);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private void contenders(List<Contention> results) {
        header("", "", "", "longest time", "commits", "rows at");
        header("", "committed", "failed", "w/o a commit", "per second", "the end");
        out.println("    " + "-".repeat(96));
        results.forEach(this::contender);
        out.println();
    }

    private void header(Object... columns) {
        out.println(style.strong(String.format(Locale.ROOT, "    %-30s %10s %19s %12s %11s %9s", columns)));
    }

    private void contender(Contention result) {
        String failed = String.format(Locale.ROOT, "%,10d (%5.1f%%)", result.failed(), result.failedPercent());
        out.println(String.format(
                Locale.ROOT,
                "    %-30s %,10d %s %9.1f ms %,11d %,9d",
                result.name(),
                result.committed(),
                result.failed() == 0 ? style.good(failed) : style.bad(failed),
                result.longestMillis(),
                result.perSecond(),
                result.rows()));
    }

    private void checks(List<Check> checks) {
        for (Check check : checks) {
            String padded = pad("  " + check.mark(), 7);
            String mark = check.isGoodNews() ? style.good(padded) : style.bad(padded);
            for (String line : Wrapping.wrap(check.text(), 93)) {
                out.println(mark + line);
                mark = "       ";
            }
        }
    }
}
