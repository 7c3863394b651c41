package dev.oneengine.demo;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Draws how the contenders did, as bars. Stateless and thread-safe. */
final class Chart {
    private static final int WIDTH = 560;
    private static final int ROW = 52;

    private Chart() {}

    /** How much of what each contender began was committed, and how much failed. */
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
        return svg.markup(y, "How many transactions failed", description(results, Chart::failedText));
    }

    /** How long the longest transaction of each contender took. */
    static String longest(List<Contention> results) {
        double most =
                results.stream().mapToDouble(Contention::longestMillis).max().orElse(1);
        Svg svg = new Svg("longest", WIDTH);
        int y = 0;
        for (Contention result : results) {
            int length = bar(result.longestMillis() / most);
            label(svg, y, result.name(), longestText(result));
            svg.rect("nothing", 0, y + 24, WIDTH, 14);
            svg.rect("time", 0, y + 24, length, 14);
            y += ROW;
        }
        return svg.markup(y, "The longest transaction", description(results, Chart::longestText));
    }

    private static void label(Svg svg, int y, String name, String value) {
        svg.text("name", 0, y + 16, name);
        svg.text("value end", WIDTH, y + 16, value);
    }

    /** A bar for a part of the whole width; one that could hardly be seen is made a little longer. */
    private static int bar(double part) {
        return (int) Math.max(4, Math.round(WIDTH * part));
    }

    private static String failedText(Contention result) {
        return result.failed() == 0
                ? "none failed"
                : String.format(Locale.ROOT, "%.1f %% failed", result.failedPercent());
    }

    private static String longestText(Contention result) {
        return String.format(Locale.ROOT, "%.1f ms", result.longestMillis());
    }

    private static String description(List<Contention> results, Function<Contention, String> text) {
        return results.stream()
                .map(result -> result.name() + ": " + text.apply(result))
                .collect(Collectors.joining("; "));
    }
}
