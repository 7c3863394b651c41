package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import dev.oneengine.demo.RaceResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Writes the drawing of the race for the README, once in light and once in dark colours. A program: {@code java ...
 * dev.oneengine.demo.RaceImages DIRECTORY}. Stateless and thread-safe.
 */
final class RaceImages {
    static final List<String> COLOURS = List.of("light", "dark");

    private static final int MARGIN = 16;
    private static final int TITLE = 40;
    private static final int CONCLUSION = 40;
    private static final String MISSING_TABLE =
            "INSERT INTO plan VALUES (2): [SQLITE_ERROR] SQL error or missing database (no such table: plan)";

    private RaceImages() {}

    /**
     * Writes the images.
     *
     * @param args the directory
     * @throws IOException if a file cannot be written
     */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        for (String colours : COLOURS) {
            Files.writeString(directory.resolve(fileName(colours)), markup(colours));
        }
    }

    static String fileName(String colours) {
        return "race-" + colours + ".svg";
    }

    /** The race of the bug reports, in the order that the demo enforces. */
    static RaceResult bug() {
        return new RaceResult(
                "Check, create, write, read without a lock",
                "the map",
                List.of(
                        new Event(Lane.A, Kind.CHECK, 0, "no engine in the map"),
                        new Event(Lane.B, Kind.CHECK, 0, "no engine in the map"),
                        new Event(Lane.A, Kind.CREATE, 1, "engine 1 ..."),
                        new Event(Lane.B, Kind.CREATE, 2, "engine 2 ..."),
                        new Event(Lane.A, Kind.CREATED, 1, "engine 1 is there"),
                        new Event(Lane.B, Kind.CREATED, 2, "engine 2 is there"),
                        new Event(Lane.A, Kind.WRITE, 1, "engine 1"),
                        new Event(Lane.A, Kind.READ, 1, "engine 1"),
                        new Event(Lane.B, Kind.WRITE, 2, "engine 2 over engine 1"),
                        new Event(Lane.B, Kind.READ, 2, "engine 2"),
                        new Event(Lane.A, Kind.USE, 1, "CREATE TABLE plan(step)"),
                        new Event(Lane.A, Kind.USE, 1, "INSERT INTO plan VALUES (1)"),
                        new Event(Lane.B, Kind.FAILED, 2, MISSING_TABLE),
                        new Event(Lane.A, Kind.USE, 1, "SELECT count(*) FROM plan: 1")),
                2,
                new Outcome(1, 1, null),
                new Outcome(2, -1, MISSING_TABLE));
    }

    /** The same threads with this library. */
    static RaceResult fix() {
        return new RaceResult(
                "EngineCache",
                "the cache",
                List.of(
                        new Event(Lane.A, Kind.ASK, 0, "cache.engine(url)"),
                        new Event(Lane.A, Kind.CREATE, 1, "engine 1 ..."),
                        new Event(Lane.B, Kind.ASK, 0, "cache.engine(url)"),
                        new Event(Lane.B, Kind.WAIT, 0, "seen WAITING, stats().waits() = 1"),
                        new Event(Lane.A, Kind.CREATED, 1, "engine 1 is there"),
                        new Event(Lane.A, Kind.READ, 1, "engine 1"),
                        new Event(Lane.B, Kind.READ, 1, "engine 1"),
                        new Event(Lane.A, Kind.USE, 1, "CREATE TABLE plan(step)"),
                        new Event(Lane.A, Kind.USE, 1, "INSERT INTO plan VALUES (1)"),
                        new Event(Lane.B, Kind.USE, 1, "INSERT INTO plan VALUES (2)"),
                        new Event(Lane.B, Kind.USE, 1, "SELECT count(*) FROM plan: 2"),
                        new Event(Lane.A, Kind.USE, 1, "SELECT count(*) FROM plan: 2")),
                1,
                new Outcome(1, 2, null),
                new Outcome(1, 2, null));
    }

    static String markup(String colours) {
        RaceResult bug = bug();
        RaceResult fix = fix();
        int height = Math.max(Timeline.height(bug), Timeline.height(fix));
        Timeline left = new Timeline(bug, "bug", height);
        Timeline right = new Timeline(fix, "fix", height);
        int width = 2 * Timeline.WIDTH + 3 * MARGIN;
        int total = TITLE + height + CONCLUSION + 2 * MARGIN;
        Svg paper = new Svg("paper", width);
        paper.rect("paper", 1, 1, width - 2, total - 2);
        heading(paper, bug, middle(0), height);
        heading(paper, fix, middle(1), height);
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" "
                                + "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                        width,
                        total,
                        width,
                        total)
                + "<title id=\"title\">Two threads ask for one URL</title>\n"
                + "<desc id=\"desc\">" + Svg.escape(description(bug, left) + " " + description(fix, right))
                + "</desc>\n"
                + "<style>\n" + StyleSheet.drawing(colours) + "</style>\n"
                + paper.group(0, 0)
                + left.group(MARGIN, MARGIN + TITLE)
                + right.group(2 * MARGIN + Timeline.WIDTH, MARGIN + TITLE)
                + "</svg>\n";
    }

    private static int middle(int column) {
        return MARGIN + column * (Timeline.WIDTH + MARGIN) + Timeline.WIDTH / 2;
    }

    private static void heading(Svg paper, RaceResult race, int x, int height) {
        paper.text("title middle", x, MARGIN + 20, race.title());
        String type = race.isOneDatabase() ? "kept" : "gone";
        paper.text("conclusion middle " + type, x, MARGIN + TITLE + height + 24, race.verdict());
    }

    private static String description(RaceResult race, Timeline timeline) {
        return race.title() + ": " + timeline.description() + ". " + race.verdict();
    }
}
