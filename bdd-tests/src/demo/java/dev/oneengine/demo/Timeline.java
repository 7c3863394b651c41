package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws a race: a lane for each thread, and between them the object that both use. Time runs downwards, not to scale. Each
 * event has a row as high as its text. Not thread-safe; use one instance per drawing.
 */
final class Timeline {
    static final int WIDTH = 500;

    private static final int HEAD = 44;
    private static final int LINE = 16;
    private static final int CHARACTERS = 24;

    /** The middle of the map or cache. */
    private static final int PLACE = WIDTH / 2;

    private static final int PLACE_HALF = 36;

    /** The distance from the middle to a thread, and from a thread to its texts. */
    private static final int LANE = 62;

    private static final int TEXT = 19;

    /** Half the width of the mark of an event, and of a bar around marks. */
    private static final int MARK = 10;

    private static final int BAR = 12;

    private final RaceResult race;
    private final Svg svg;
    private final List<Row> rows = new ArrayList<>();
    private int bottom = HEAD;

    /** An event and its position. */
    private record Row(int number, Event event, List<String> lines, int y) {}

    /**
     * Lays out the drawing.
     *
     * @param race the race
     * @param id a unique name within the page
     * @param height the minimum height; a shorter drawing spreads its rows over it
     */
    Timeline(RaceResult race, String id, int height) {
        this.race = race;
        this.svg = new Svg(id, WIDTH);
        int spare = Math.max(0, height - height(race));
        int spread = 0;
        for (Event event : race.events()) {
            List<String> lines = Wrapping.wrap(event.text(), CHARACTERS);
            rows.add(new Row(rows.size() + 1, event, lines, bottom + LINE));
            int total = spare * rows.size() / race.events().size();
            bottom += height(lines) + total - spread;
            spread = total;
        }
        draw();
    }

    /** Returns the height of a drawing whose rows are not spread. */
    static int height(RaceResult race) {
        return HEAD
                + LINE
                + race.events().stream()
                        .mapToInt(event -> height(Wrapping.wrap(event.text(), CHARACTERS)))
                        .sum();
    }

    private static int height(List<String> lines) {
        return LINE * (lines.size() + 2);
    }

    /** Returns the drawing as a part of another one. */
    String group(int x, int y) {
        return svg.group(x, y);
    }

    /** Returns the drawing for a page. */
    String markup() {
        return svg.markup(bottom + LINE, race.title() + ": two threads ask for one URL", description());
    }

    private void draw() {
        heads();
        place();
        for (Lane lane : Lane.values()) {
            lane(lane);
        }
        rows.forEach(this::event);
    }

    /** Describes the steps in words. */
    String description() {
        return rows.stream()
                .map(row -> row.number() + ". " + row.event().lane().title() + ", "
                        + row.event().kind().word() + ": " + row.event().text())
                .collect(Collectors.joining("; "));
    }

    private void heads() {
        svg.text("lane-name end", x(Lane.A) + MARK, 20, Lane.A.title());
        svg.text("lane-name middle", PLACE, 20, race.place());
        svg.text("lane-name", x(Lane.B) - MARK, 20, Lane.B.title());
    }

    /** Draws the map or cache in the colour of the engine that it holds. */
    private void place() {
        boolean writes = rows.stream().anyMatch(row -> row.event().kind() == Kind.WRITE);
        int engine = 0;
        int top = HEAD - LINE;
        for (Row row : rows) {
            // The library reports no write, so its first read shows it.
            boolean changes = row.event().kind() == (writes ? Kind.WRITE : Kind.READ)
                    && row.event().engine() != engine;
            if (changes) {
                place(engine, top, row.y());
                engine = row.event().engine();
                top = row.y();
            }
        }
        place(engine, top, bottom);
    }

    private void place(int engine, int top, int end) {
        svg.rect("place " + type(engine), PLACE - PLACE_HALF, top, 2 * PLACE_HALF, end - top);
        svg.text("holds middle", PLACE, top + LINE + 8, engine == 0 ? "empty" : "engine " + engine);
    }

    private void lane(Lane lane) {
        svg.line("rail", x(lane), HEAD - LINE, x(lane), bottom);
        Map<Kind, Row> open = new HashMap<>();
        for (Row row : rows) {
            if (row.event().lane() != lane) {
                continue;
            }
            open.put(row.event().kind(), row);
            switch (row.event().kind()) {
                case CREATED -> bar("create", lane, open.get(Kind.CREATE), row);
                case READ -> {
                    bar("wait", lane, open.get(Kind.WAIT), row);
                    svg.line("use " + type(row.event().engine()), x(lane), row.y(), x(lane), bottom);
                }
                default -> {}
            }
        }
    }

    private void bar(String type, Lane lane, @Nullable Row from, Row to) {
        if (from != null) {
            svg.rect(
                    "bar " + type + " " + type(to.event().engine()),
                    x(lane) - BAR,
                    from.y() - BAR,
                    2 * BAR,
                    to.y() - from.y() + 2 * BAR);
        }
    }

    private void event(Row row) {
        Event event = row.event();
        int x = x(event.lane());
        int side = event.lane() == Lane.A ? -1 : 1;
        int edge = PLACE + side * PLACE_HALF;
        String type = type(event.engine());
        switch (event.kind()) {
            case ASK, CHECK -> svg.arrow("ask", x - side * MARK, edge, row.y());
            case WRITE -> svg.arrow("move " + type, x - side * MARK, edge, row.y());
            case READ -> svg.arrow("move " + type, edge, x - side * MARK, row.y());
            default -> {}
        }
        String mark = event.kind() == Kind.FAILED ? "failed" : event.kind() == Kind.WAIT ? "waiting" : type;
        svg.circle("mark " + mark, x, row.y(), MARK);
        svg.text("number middle " + mark, x, row.y() + 4, Integer.toString(row.number()));
        String anchor = side < 0 ? " end" : "";
        int y = row.y() + 4;
        svg.text("word " + mark + anchor, x + side * TEXT, y, event.kind().word());
        for (String line : row.lines()) {
            y += LINE;
            svg.text("detail" + anchor, x + side * TEXT, y, line);
        }
    }

    private static int x(Lane lane) {
        return lane == Lane.A ? PLACE - LANE : PLACE + LANE;
    }

    /** Returns the style class of an engine, which sets its colour. */
    private static String type(int engine) {
        return "engine-" + engine;
    }
}
