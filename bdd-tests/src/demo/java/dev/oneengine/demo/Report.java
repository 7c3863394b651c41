package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the demo prints: plain characters in a hundred columns. For one thread at a time. */
final class Report {
    private static final int COLUMN = 46;

    private final PrintStream out;
    private final Style style;

    Report(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Shows a race: what it is, its steps, and what came of it. */
    void race(int number, RaceResult race, String explanation, List<Check> checks) {
        title(number, race.title(), explanation);
        steps(race);
        out.println("  " + (race.isOneDatabase() ? style.good(race.verdict()) : style.bad(race.verdict())));
        checks(checks);
    }

    /** Shows how writers did beside each other. */
    void contention(int number, List<Contention> results, String explanation, List<Check> checks) {
        title(number, ContentionDemo.WRITERS + " writers at once", explanation);
        contenders(results);
        checks(checks);
    }

    /** Ends with the place of the page, on a line of its own. */
    void end(boolean met, Path page) {
        out.println();
        out.println(
                met
                        ? style.good("All came out as it should. The same as a page, with a drawing of the threads:")
                        : style.bad("Not all came out as it should: see FAIL above. The same as a page:"));
        out.println(page);
    }

    /** Says why there is nothing more to show. */
    void broken(Exception cause) {
        out.println();
        out.println(style.bad("FAIL The demo broke off: " + cause));
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
        return text + " ".repeat(Math.max(0, COLUMN - text.length()));
    }

    private void contenders(List<Contention> results) {
        header("", "", "", "longest", "committed", "rows in");
        header("", "committed", "failed", "transaction", "per second", "the end");
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
            String mark = check.met() ? style.good("  ok   ") : style.bad("  FAIL ");
            for (String line : Wrapping.wrap(check.text(), 93)) {
                out.println(mark + line);
                mark = "       ";
            }
        }
    }
}
