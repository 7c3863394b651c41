package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.glue.Story.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Draws a story as text, like the demo. Each thread has a lane, time runs downwards, and each event has a row. If the threads do
 * not fit side by side, each lane is one character wide and the text follows all lanes. Confined to its thread.
 */
final class StoryText {
    private static final int WIDTH = 110;
    private static final int MOST_COLUMNS = 3;
    private static final int MOST_LANES = 40;

    /** The most events to draw. A longer story loses its middle, because races show at the beginning and failures at the end. */
    private static final int MOST_EVENTS = 60;

    private final List<Event> events;
    private final List<String> threads;
    private final StringBuilder text = new StringBuilder();

    private StoryText(List<Event> events) {
        this.events = events;
        threads = events.stream().map(Event::thread).distinct().toList();
    }

    /** Draws events, or nothing if there are none. */
    static String of(List<Event> events) {
        return events.isEmpty() ? "" : new StoryText(events).draw();
    }

    private String draw() {
        text.append("What the threads did, in this order:\n");
        boolean columns = threads.size() <= MOST_COLUMNS;
        if (columns) {
            int width = WIDTH / threads.size() - 3;
            String heads = threads.stream()
                    .map(thread -> " | " + padded(Story.name(thread), width))
                    .collect(Collectors.joining());
            text.append("    ").append(heads.stripTrailing()).append('\n');
        }
        int half = MOST_EVENTS / 2;
        for (int i = 0; i < events.size(); i++) {
            if (i >= half && i < events.size() - half) {
                text.append("     ... and ").append(events.size() - MOST_EVENTS).append(" more ...\n");
                i = events.size() - half;
            }
            if (columns) {
                row(i + 1, events.get(i));
            } else {
                lanes(i + 1, events.get(i));
            }
        }
        return text.toString();
    }

    private void row(int number, Event event) {
        int width = WIDTH / threads.size() - 3;
        int lane = threads.indexOf(event.thread());
        String margin = String.format(Locale.ROOT, "%4d", number);
        for (String line : wrapped(event.kind().mark() + " " + event.text(), width)) {
            StringBuilder row = new StringBuilder(margin);
            for (int i = 0; i < threads.size(); i++) {
                row.append(" | ").append(padded(i == lane ? line : "", width));
            }
            text.append(row.toString().stripTrailing()).append('\n');
            margin = "    ";
        }
    }

    private void lanes(int number, Event event) {
        int lane = threads.indexOf(event.thread());
        StringBuilder lanes = new StringBuilder(".".repeat(Math.min(threads.size(), MOST_LANES)));
        if (lane < MOST_LANES) {
            lanes.setCharAt(lane, event.kind().mark());
        }
        text.append(
                String.format(Locale.ROOT, "%4d %s %s: %s%n", number, lanes, Story.name(event.thread()), event.text()));
    }

    private static String padded(String part, int width) {
        return part + " ".repeat(Math.max(0, width - part.length()));
    }

    private static List<String> wrapped(String line, int width) {
        List<String> lines = new ArrayList<>();
        String rest = line.strip();
        String indent = "";
        while (indent.length() + rest.length() > width) {
            int room = width - indent.length();
            int blank = rest.lastIndexOf(' ', room);
            int end = blank > 0 ? blank : room;
            lines.add(indent + rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
            indent = "  ";
        }
        lines.add(indent + rest);
        return lines;
    }
}
