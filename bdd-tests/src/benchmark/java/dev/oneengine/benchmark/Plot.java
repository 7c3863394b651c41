package dev.oneengine.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/** Draws bars with the quartiles of the rounds. Not thread-safe. */
final class Plot {
    private static final int WIDTH = 820;
    private static final int LEFT = 290;
    private static final int RIGHT = 720;
    private static final int TOP = 56;
    private static final int ROW = 26;
    private static final int BAR = 16;
    private static final double LEAST_RATIO = 1 / 16.0;
    private static final double MOST_RATIO = 64;

    private final Results results;
    private final Summary summary;

    Plot(Results results, Summary summary) {
        this.results = results;
        this.summary = summary;
    }

    /** The colours for light and for dark pages. */
    enum Theme {
        LIGHT("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#0969da", "#80b4ed", "#a7b0ba"),
        DARK("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", "#4493f8", "#2c5c9c", "#656c76");

        private final String background;
        private final String text;
        private final String faint;
        private final String grid;
        private final String library;
        private final String onEngine;
        private final String other;

        Theme(
                String background,
                String text,
                String faint,
                String grid,
                String library,
                String onEngine,
                String other) {
            this.background = background;
            this.text = text;
            this.faint = faint;
            this.grid = grid;
            this.library = library;
            this.onEngine = onEngine;
            this.other = other;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A bar.
     *
     * @param label the text before it
     * @param value the end of the bar, with the quartiles
     * @param colour its colour
     */
    private record Bar(String label, Spread value, String colour) {}

    /** Describes a picture to those who cannot see it. */
    String description(String name) {
        if (name.equals(Page.OVERVIEW)) {
            return "Bar chart: the rate of this library in relation to the baseline of each comparison";
        }
        Comparison comparison = Comparisons.of(name);
        return "Bar chart: " + comparison.title() + ", " + comparison.unit().label();
    }

    String svg(String name, Theme theme) {
        return name.equals(Page.OVERVIEW) ? overview(theme) : comparison(Comparisons.of(name), theme);
    }

    private String comparison(Comparison comparison, Theme theme) {
        List<Bar> bars = new ArrayList<>();
        double most = 0;
        for (String way : results.ways(comparison.id())) {
            List<Double> values = results.of(comparison.id(), way, Results.RATE).stream()
                    .map(rate -> comparison.unit().of(rate))
                    .toList();
            String colour = way.equals(comparison.library())
                    ? theme.library
                    : Summary.isLibrary(comparison, way) ? theme.onEngine : theme.other;
            Bar bar = new Bar(way, Spread.of(values), colour);
            bars.add(bar);
            most = Math.max(most, bar.value.high());
        }
        double scale = (RIGHT - LEFT) / most;
        String better = comparison.unit().isTime() ? "less is better" : "more is better";
        String title = comparison.title() + ": " + comparison.unit().label() + ", " + better;
        return draw(title, bars, 0, value -> LEFT + value * scale, List.of(), theme);
    }

    /** Ratios below 1 extend to the left, on a logarithmic scale. A bar beyond the grid ends at its edge. */
    private String overview(Theme theme) {
        List<Bar> bars = new ArrayList<>();
        for (Comparison comparison : Comparisons.all()) {
            if (results.has(comparison.id()) && summary.hasRates(comparison)) {
                Spread ratio = summary.libraryTo(comparison, summary.baseline(comparison));
                bars.add(new Bar(comparison.title(), ratio, ratio.median() < 1 ? theme.other : theme.library));
            }
        }
        List<Double> grid = new ArrayList<>();
        for (double ratio = LEAST_RATIO; ratio <= MOST_RATIO; ratio *= 2) {
            grid.add(ratio);
        }
        double scale = (RIGHT - LEFT) / log2(MOST_RATIO / LEAST_RATIO);
        return draw(
                "Rate of this library in relation to the baseline: more is better",
                bars,
                1,
                value -> LEFT + log2(Math.max(LEAST_RATIO, Math.min(value, MOST_RATIO)) / LEAST_RATIO) * scale,
                grid,
                theme);
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    private static String draw(
            String title, List<Bar> bars, double origin, DoubleUnaryOperator place, List<Double> grid, Theme theme) {
        Svg svg = new Svg();
        svg.text(theme.text, "start", 16, 26, title);
        double bottom = TOP + bars.size() * ROW;
        for (double value : grid) {
            double x = place.applyAsDouble(value);
            svg.line(value == 1 ? theme.faint : theme.grid, x, TOP - 6, x, bottom);
            svg.text(
                    theme.faint,
                    "middle",
                    x,
                    TOP - 10,
                    value < 1 ? "1/" + Math.round(1 / value) : "" + Math.round(value));
        }
        double zero = place.applyAsDouble(origin);
        double y = TOP;
        for (Bar bar : bars) {
            double end = place.applyAsDouble(bar.value.median());
            double low = place.applyAsDouble(bar.value.low());
            double high = place.applyAsDouble(bar.value.high());
            double middle = y + BAR / 2.0;
            svg.text(theme.text, "end", LEFT - 10, middle + 4, bar.label);
            svg.bar(bar.colour, Math.min(zero, end), y, Math.abs(end - zero), BAR);
            svg.line(theme.text, low, middle, high, middle);
            svg.text(
                    theme.text,
                    "start",
                    Math.max(Math.max(end, high), zero) + 8,
                    middle + 4,
                    Figures.of(bar.value.median()));
            y += ROW;
        }
        return svg.markup(WIDTH, bottom + 12, theme.background, title);
    }
}
