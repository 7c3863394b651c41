package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.glue.Story.Event;
import dev.oneengine.acceptance.glue.Story.Kind;
import java.util.List;

/** Draws a story as an image for the HTML report. Stateless and thread-safe. */
final class StoryDrawing {
    private static final int ROW = 22;
    private static final int LANE = 26;
    private static final int LEFT = 24;
    private static final int TOP = 30;
    private static final int TEXT_WIDTH = 760;
    private static final int MOST_EVENTS = 200;

    private StoryDrawing() {}

    /** Draws the first events. */
    static String svg(List<Event> all) {
        List<Event> events = all.subList(0, Math.min(all.size(), MOST_EVENTS));
        List<String> threads = events.stream().map(Event::thread).distinct().toList();
        int text = LEFT + threads.size() * LANE;
        int height = TOP + events.size() * ROW;
        StringBuilder svg = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + (text + TEXT_WIDTH)
                + "\" height=\"" + (height + ROW) + "\" font-family=\"sans-serif\" font-size=\"13\">"
                + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        for (int lane = 0; lane < threads.size(); lane++) {
            int x = LEFT + lane * LANE;
            svg.append("<line x1=\"").append(x).append("\" y1=\"").append(TOP - 12);
            svg.append("\" x2=\"").append(x).append("\" y2=\"").append(height);
            svg.append("\" stroke=\"#c9ced6\" stroke-width=\"2\"/>");
        }
        int y = TOP;
        for (Event event : events) {
            int x = LEFT + threads.indexOf(event.thread()) * LANE;
            svg.append("<circle cx=\"").append(x).append("\" cy=\"").append(y);
            svg.append("\" r=\"8\" fill=\"").append(colour(event.kind())).append("\"/>");
            svg.append("<text x=\"")
                    .append(text)
                    .append("\" y=\"")
                    .append(y + 4)
                    .append("\" fill=\"#1d2733\">");
            svg.append(escaped(Story.name(event.thread()) + ": " + event.text()))
                    .append("</text>");
            y += ROW;
        }
        return svg.append("</svg>").toString();
    }

    private static String colour(Kind kind) {
        return switch (kind) {
            case CALL -> "#5b7fb5";
            case CREATE -> "#7b4fa3";
            case WAIT -> "#d99a1c";
            case RETURN -> "#3c8f53";
            case FAIL -> "#c53a32";
        };
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
