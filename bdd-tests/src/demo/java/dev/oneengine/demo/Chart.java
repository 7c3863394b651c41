package dev.oneengine.demo;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Draws the results of the contenders as bars. Stateless and thread-safe. */
final class Chart {
    private static final int WIDTH = 560;
    private static final int ROW = 52;

    private Chart() {}

    /** Draws the share of committed and failed transactions. */
    static String outcomes(List<Contention> results) {
        Svg svg = new Svg("outcomes", WIDTH);
        int y = 0;
        for (Contention result : results) {
            int failed = result.failed() == 0 ? 0 : bar(result.failedPercent() / 100);
            label(svg, y, result.name(), failedText(result));
            svg.rect("committed", 0, y + 24, WIDTH, 14);
            if (failed > 0) {
                svg.rect("lost", WIDTH - failed, y + 24, failed, 14);
            }
            y += ROW;
        }
        return svg.markup(y, "Failed transactions", description(results, Chart::failedText));
    }

    /** Draws the longest time that a thread went without a commit. Failures colour the bar, so failing fast looks no better. */
    static String longest(List<Contention> results) {
        double most =
                results.stream().mapToDouble(Contention::longestMillis).max().orElse(1);
        Svg svg = new Svg("longest", WIDTH);
        int y = 0;
        for (Contention result : results) {
            int length = bar(result.longestMillis() / most);
            label(svg, y, result.name(), longestText(result));
            svg.rect("nothing", 0, y + 24, WIDTH, 14);
            svg.rect(result.failed() == 0 ? "time" : "lost", 0, y + 24, length, 14);
            y += ROW;
        }
        return svg.markup(y, "Longest time without a commit", description(results, Chart::longestText));
    }

    private static void label(Svg svg, int y, String name, String value) {
        svg.text("name", 0, y + 16, name);
        svg.text("value end", WIDTH, y + 16, value);
    }

    /** Returns the width of a bar; a bar is never too narrow to see. */
    private static int bar(double part) {
        return (int) Math.max(4, Math.round(WIDTH * part));
    }

    private static String failedText(Contention result) {
        return result.failed() == 0
                ? "none failed"
                : String.format(Locale.ROOT, "%.1f %% failed", result.failedPercent());
    }

    private static String longestText(Contention result) {
        String time = String.format(Locale.ROOT, "%.1f ms", result.longestMillis());
        return result.failed() == 0 ? time : time + ", " + failedText(result);
    }

    private static String description(List<Contention> results, Function<Contention, String> text) {
        return results.stream()
                .map(result -> result.name() + ": " + text.apply(result))
                .collect(Collectors.joining("; "));
    }
}
