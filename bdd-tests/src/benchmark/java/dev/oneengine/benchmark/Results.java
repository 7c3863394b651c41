package dev.oneengine.benchmark;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The values of all rounds. A file begins with the environment of the run. Each further line has a comparison, a way, a
 * measure and its values, separated by commas. Not thread-safe.
 */
final class Results {
    /** Operations per second. */
    static final String RATE = "rate";

    /** The longest execution. */
    static final String WORST = "worst ms";

    /** Operations per second of the slowest thread. */
    static final String LEAST = "least";

    /** Operations per second of the fastest thread. */
    static final String MOST = "most";

    /** Executions that failed. */
    static final String FAILED = "failed";

    /** Operations per second of the additional thread. */
    static final String BESIDE = "beside";

    private static final String ENVIRONMENT = "environment";

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<Key, List<Double>> values = new LinkedHashMap<>();

    /** A line of the file. */
    private record Key(String comparison, String way, String measure) {}

    void describe(String name, String value) {
        environment.put(name, value.replace(',', ' '));
    }

    Map<String, String> environment() {
        return environment;
    }

    /** Adds the value of a round. Rounds the value as the file does, so that the page is the same before and after reading the file. */
    void add(String comparison, String way, String measure, double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(4));
        values.computeIfAbsent(new Key(comparison, way, measure), key -> new ArrayList<>())
                .add(rounded.doubleValue());
    }

    void addAll(Results others) {
        others.values.forEach(
                (key, list) -> list.forEach(value -> add(key.comparison(), key.way(), key.measure(), value)));
    }

    boolean has(String comparison) {
        return values.keySet().stream().anyMatch(key -> key.comparison().equals(comparison));
    }

    /** The ways of a comparison, the baseline first. */
    Set<String> ways(String comparison) {
        return values.keySet().stream()
                .filter(key -> key.comparison().equals(comparison))
                .map(Key::way)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The measures of a comparison. */
    Set<String> measures(String comparison) {
        return values.keySet().stream()
                .filter(key -> key.comparison().equals(comparison))
                .map(Key::measure)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The values of all rounds. */
    List<Double> of(String comparison, String way, String measure) {
        return values.getOrDefault(new Key(comparison, way, measure), List.of());
    }

    /** The ratio of the rates of two ways in each round. */
    Spread ratio(String comparison, String way, String other) {
        List<Double> mine = of(comparison, way, RATE);
        List<Double> others = of(comparison, other, RATE);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < mine.size(); round++) {
            ratios.add(mine.get(round) / others.get(round));
        }
        return Spread.of(ratios);
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        environment.forEach((name, value) -> lines.add(ENVIRONMENT + "," + name + ",," + value));
        values.forEach((key, list) -> lines.add(String.join(
                ",",
                key.comparison(),
                key.way(),
                key.measure(),
                list.stream().map(Results::text).collect(Collectors.joining(" ")))));
        Files.write(file, lines);
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** Reads a file; if it is missing, there are no results. */
    static Results read(Path file) throws IOException {
        Results results = new Results();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return results;
        }
        for (String line : lines) {
            String[] fields = line.split(",", 4);
            if (fields[0].equals(ENVIRONMENT)) {
                results.describe(fields[1], fields[3]);
            } else {
                for (String value : fields[3].split(" ", -1)) {
                    results.add(fields[0], fields[1], fields[2], Double.parseDouble(value));
                }
            }
        }
        return results;
    }
}
