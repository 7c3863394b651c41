package dev.oneengine.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills the page with results: regions between {@code <!-- benchmark NAME -->} and {@code <!-- end -->}. A name is that
 * of a comparison or one of the names in {@link #region}. After "plot", the region is a picture. Not thread-safe.
 */
final class Page {
    /** The name of the picture that shows all comparisons. */
    static final String OVERVIEW = "overview";

    private static final Pattern REGION =
            Pattern.compile("(<!-- benchmark ([^>]*) -->\n).*?(<!-- end -->)", Pattern.DOTALL);
    private static final String PLOT = "plot ";
    private static final String FOLDER = "performance";

    private final Results results;
    private final Summary summary;
    private final Plot plot;

    Page(Results results) {
        this.results = results;
        this.summary = new Summary(results);
        this.plot = new Plot(results, summary);
    }

    /**
     * Rewrites the page from the committed results, after a change to its text or to this class.
     *
     * @param arguments the folder of the documents
     */
    public static void main(String[] arguments) throws IOException {
        Path docs = Path.of(arguments[0]);
        new Page(Results.read(docs.resolve(Benchmark.RESULTS))).write(docs);
    }

    /** Rewrites the page of a folder, with its pictures. */
    void write(Path folder) throws IOException {
        Path page = folder.resolve(Benchmark.PAGE);
        String text = Files.readString(page);
        Files.writeString(page, filled(text));
        Files.createDirectories(folder.resolve(FOLDER));
        for (Map.Entry<String, String> picture : pictures(text).entrySet()) {
            Files.writeString(folder.resolve(picture.getKey()), picture.getValue());
        }
    }

    /** The names of all regions. */
    static List<String> regions(String page) {
        return REGION.matcher(page)
                .results()
                .map((MatchResult match) -> match.group(2))
                .toList();
    }

    /** The page with these results. */
    String filled(String page) {
        return REGION.matcher(page)
                .replaceAll((MatchResult match) -> Matcher.quoteReplacement(
                        match.group(1) + "\n" + region(match.group(2)) + "\n" + match.group(3)));
    }

    /** The pictures of a page, by their paths. */
    Map<String, String> pictures(String page) {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (String region : regions(page)) {
            if (region.startsWith(PLOT) && hasPicture(region.substring(PLOT.length()))) {
                for (Plot.Theme theme : Plot.Theme.values()) {
                    String name = region.substring(PLOT.length());
                    pictures.put(path(name, theme), plot.svg(name, theme));
                }
            }
        }
        return pictures;
    }

    private boolean hasPicture(String name) {
        return name.equals(OVERVIEW) ? !results.environment().isEmpty() : results.has(name);
    }

    private static String path(String name, Plot.Theme theme) {
        return FOLDER + "/" + name + "-" + theme.label() + ".svg";
    }

    private String region(String name) {
        if (name.equals("baseline")) {
            return DriverPool.description();
        }
        if (results.environment().isEmpty()) {
            return "No results yet: `./gradlew benchmark` writes them.\n";
        }
        if (name.startsWith(PLOT)) {
            return picture(name.substring(PLOT.length()));
        }
        return switch (name) {
            case "environment" -> environment();
            case "ratios" -> ratios();
            case "others" -> others();
            case "tools" -> tools();
            default -> comparison(Comparisons.of(name));
        };
    }

    private String picture(String name) {
        if (!hasPicture(name)) {
            return notMeasured();
        }
        return """
                <picture>
                  <source media="(prefers-color-scheme: dark)" srcset="%s">
                  <img alt="%s" src="%s">
                </picture>
                """.formatted(
                        path(name, Plot.Theme.DARK), Svg.escape(plot.description(name)), path(name, Plot.Theme.LIGHT));
    }

    private static String notMeasured() {
        return "Not measured in this run.\n";
    }

    private String environment() {
        Map<String, String> facts = results.environment();
        return """
                %s, %s x %s, %s, JDK %s, SQLite %s. JVM flags: `%s`.

                Short comparisons take %s per way. Comparisons of several writers or readers take %s, because a starved thread waits \
                for seconds. The slowest ones take %s.
                """.formatted(
                        facts.get("date"),
                        facts.get("processors"),
                        facts.get("processor"),
                        facts.get("system"),
                        facts.get("java"),
                        facts.get("SQLite"),
                        facts.get("flags"),
                        facts.get(Comparison.Pace.SHORT.name()),
                        facts.get(Comparison.Pace.LONG.name()),
                        facts.get(Comparison.Pace.SINGLE.name()));
    }

    /** The comparisons that were measured in rounds. */
    private List<Comparison> measured() {
        return Comparisons.all().stream()
                .filter(comparison -> results.has(comparison.id()) && summary.hasRates(comparison))
                .toList();
    }

    private String ratios() {
        Table table = new Table("comparison", "this library", "", "baseline", "ratio", "best of the others", "ratio");
        for (Comparison comparison : measured()) {
            String baseline = summary.baseline(comparison);
            String best = summary.bestOther(comparison).orElse("");
            table.row(
                    comparison.title(),
                    comparison.library(),
                    Figures.of(summary.value(comparison, comparison.library())) + " "
                            + comparison.unit().label(),
                    baseline,
                    Figures.ratio(summary.libraryTo(comparison, baseline)),
                    best,
                    best.isEmpty() ? "" : Figures.ratio(summary.libraryTo(comparison, best)));
        }
        return table.text();
    }

    private String others() {
        Table table = new Table("comparison", "faster than this library", "times as fast");
        for (Comparison comparison : measured()) {
            for (String way : summary.faster(comparison)) {
                Spread spread = summary.libraryTo(comparison, way);
                table.row(
                        comparison.title(),
                        way,
                        Figures.ratio(new Spread(1 / spread.high(), 1 / spread.median(), 1 / spread.low())));
            }
        }
        return table.isEmpty() ? "None in this run.\n" : table.text();
    }

    private String tools() {
        Set<String> tools = new LinkedHashSet<>();
        measured().forEach(comparison -> tools.addAll(tools(comparison)));
        List<String> heads = new ArrayList<>(tools);
        heads.add(0, "comparison");
        Table table = new Table(heads.toArray(String[]::new));
        for (Comparison comparison : measured()) {
            List<String> cells = new ArrayList<>(List.of(comparison.title()));
            for (String tool : tools) {
                cells.add(tools(comparison).contains(tool) ? Figures.ratio(onEngine(comparison, tool)) : "");
            }
            if (!tools(comparison).isEmpty()) {
                table.row(cells.toArray(String[]::new));
            }
        }
        return table.text();
    }

    /** The tools that were measured on the driver and on an engine. */
    private List<String> tools(Comparison comparison) {
        Set<String> ways = results.ways(comparison.id());
        return ways.stream()
                .filter(way -> way.endsWith(Store.ON_DRIVER))
                .map(way -> way.substring(0, way.length() - Store.ON_DRIVER.length()))
                .filter(tool -> ways.contains(tool + Store.ON_ENGINE))
                .toList();
    }

    private Spread onEngine(Comparison comparison, String tool) {
        return results.ratio(comparison.id(), tool + Store.ON_ENGINE, tool + Store.ON_DRIVER);
    }

    private String comparison(Comparison comparison) {
        if (!results.has(comparison.id())) {
            return notMeasured();
        }
        return summary.hasRates(comparison) ? rates(comparison) : measures(comparison);
    }

    private String rates(Comparison comparison) {
        String id = comparison.id();
        String baseline = summary.baseline(comparison);
        boolean hasWaits = results.measures(id).contains(Results.WORST);
        boolean hasWriter = results.measures(id).contains(Results.BESIDE);
        List<String> heads =
                new ArrayList<>(List.of("", comparison.unit().label(), "to " + baseline, "this library to it"));
        if (hasWaits) {
            heads.addAll(List.of("longest wait, ms", "per thread and ms, slowest to fastest", "failed"));
        }
        if (hasWriter) {
            heads.add("writer, commits per ms");
        }
        Table table = new Table(heads.toArray(String[]::new));
        for (String way : results.ways(id)) {
            boolean mine = way.equals(comparison.library());
            List<String> cells = new ArrayList<>();
            cells.add(mine ? "**" + way + "**" : way);
            cells.add(Figures.of(summary.value(comparison, way)));
            cells.add(way.equals(baseline) ? "1" : Figures.ratio(results.ratio(id, way, baseline)));
            cells.add(mine ? "" : Figures.of(summary.libraryTo(comparison, way).median()));
            if (hasWaits) {
                cells.add(Figures.of(summary.worst(comparison, way)));
                cells.add(perMillisecond(id, way, Results.LEAST) + " to " + perMillisecond(id, way, Results.MOST));
                cells.add(Figures.of(sum(results.of(id, way, Results.FAILED))));
            }
            if (hasWriter) {
                cells.add(perMillisecond(id, way, Results.BESIDE));
            }
            table.row(cells.toArray(String[]::new));
        }
        return table.text();
    }

    private String perMillisecond(String comparison, String way, String measure) {
        return Figures.of(Spread.of(results.of(comparison, way, measure)).median() / 1e3);
    }

    private static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private String measures(Comparison comparison) {
        List<String> heads = new ArrayList<>(results.measures(comparison.id()));
        heads.add(0, "");
        Table table = new Table(heads.toArray(String[]::new));
        for (String way : results.ways(comparison.id())) {
            List<String> cells = new ArrayList<>(List.of(way));
            results.measures(comparison.id())
                    .forEach(measure -> cells.add(
                            Figures.of(results.of(comparison.id(), way, measure).get(0))));
            table.row(cells.toArray(String[]::new));
        }
        return table.text();
    }

    /** A table in Markdown. Not thread-safe. */
    private static final class Table {
        private final StringBuilder text = new StringBuilder();
        private int rows;

        Table(String... heads) {
            line(heads);
            text.append("|---".repeat(heads.length)).append("|\n");
        }

        void row(String... cells) {
            line(cells);
            rows++;
        }

        private void line(String... cells) {
            for (String cell : cells) {
                text.append(cell.isEmpty() ? "| " : "| " + cell + " ");
            }
            text.append("|\n");
        }

        boolean isEmpty() {
            return rows == 0;
        }

        String text() {
            return text.toString();
        }
    }
}
