package dev.oneengine.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The conclusions about this library. Not thread-safe. */
final class Summary {
    private final Results results;

    Summary(Results results) {
        this.results = results;
    }

    /** The first way, which all others are compared with. */
    String baseline(Comparison comparison) {
        return results.ways(comparison.id()).iterator().next();
    }

    /** Whether the ways of a comparison were measured in rounds. */
    boolean hasRates(Comparison comparison) {
        return results.measures(comparison.id()).contains(Results.RATE);
    }

    /** Whether a way uses this library. */
    static boolean isLibrary(Comparison comparison, String way) {
        return way.equals(comparison.library()) || way.endsWith(Store.ON_ENGINE);
    }

    /** A rate in the unit of its comparison. */
    double value(Comparison comparison, String way) {
        return comparison
                .unit()
                .of(Spread.of(results.of(comparison.id(), way, Results.RATE)).median());
    }

    /** The rate of this library in relation to another way. */
    Spread libraryTo(Comparison comparison, String other) {
        return results.ratio(comparison.id(), comparison.library(), other);
    }

    /** The fastest way without this library, other than the baseline. */
    Optional<String> bestOther(Comparison comparison) {
        return results.ways(comparison.id()).stream()
                .filter(way -> !isLibrary(comparison, way) && !way.equals(baseline(comparison)))
                .min(Comparator.comparingDouble(
                        way -> libraryTo(comparison, way).median()));
    }

    /** The ways that are faster than this library in three quarters of all rounds or more. */
    List<String> faster(Comparison comparison) {
        return results.ways(comparison.id()).stream()
                .filter(way -> !isLibrary(comparison, way))
                .filter(way -> libraryTo(comparison, way).high() < 1)
                .sorted(Comparator.comparingDouble(
                        way -> libraryTo(comparison, way).median()))
                .toList();
    }

    /** The table for the terminal. */
    List<String> lines(List<Comparison> comparisons) {
        List<String> lines = new ArrayList<>();
        lines.add("Rate of this library in relation to others: more is better. In brackets: quartiles of the rounds.");
        comparisons.stream()
                .filter(comparison -> results.has(comparison.id()))
                .map(this::line)
                .forEach(lines::add);
        return lines;
    }

    /** Returns one line about a comparison. */
    String line(Comparison comparison) {
        return hasRates(comparison) ? rates(comparison) : measures(comparison);
    }

    private String rates(Comparison comparison) {
        String baseline = baseline(comparison);
        String text = String.format(
                Locale.ROOT,
                "%-40s %8s %-19s %6s (%s to %s) of %s",
                comparison.title(),
                Figures.of(value(comparison, comparison.library())),
                comparison.unit().label(),
                Figures.of(libraryTo(comparison, baseline).median()),
                Figures.of(libraryTo(comparison, baseline).low()),
                Figures.of(libraryTo(comparison, baseline).high()),
                baseline);
        String worst = results.measures(comparison.id()).contains(Results.WORST)
                ? "; worst " + Figures.of(worst(comparison, comparison.library())) + " against "
                        + Figures.of(worst(comparison, baseline)) + " ms"
                : "";
        String best = bestOther(comparison)
                .map(other -> "; " + Figures.of(libraryTo(comparison, other).median()) + " of " + other)
                .orElse("");
        return text + best + worst;
    }

    /** The longest execution of all rounds. */
    double worst(Comparison comparison, String way) {
        return results.of(comparison.id(), way, Results.WORST).stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
    }

    private String measures(Comparison comparison) {
        List<String> texts = new ArrayList<>();
        for (String way : results.ways(comparison.id())) {
            List<String> values = new ArrayList<>();
            for (String measure : results.measures(comparison.id())) {
                values.add(measure + " "
                        + Figures.of(results.of(comparison.id(), way, measure).get(0)));
            }
            texts.add(way + ": " + String.join(", ", values));
        }
        return String.format(Locale.ROOT, "%-40s %s", comparison.title(), String.join("; ", texts));
    }
}
