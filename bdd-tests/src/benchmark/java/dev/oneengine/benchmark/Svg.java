package dev.oneengine.benchmark;

import java.util.Locale;

/** A picture with the colours of a theme. Not thread-safe. */
final class Svg {
    private final StringBuilder shapes = new StringBuilder();

    /** Escapes a text for any place in markup. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    Svg bar(String colour, double x, double y, double width, double height) {
        return add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\"/>",
                x, y, width, height, colour);
    }

    Svg line(String colour, double x1, double y1, double x2, double y2) {
        return add("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>", x1, y1, x2, y2, colour);
    }

    /**
     * Adds a text.
     *
     * @param anchor the part of the text that is at the position: start, middle or end
     */
    Svg text(String colour, String anchor, double x, double y, String text) {
        return add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, colour, escape(text));
    }

    private Svg add(String format, Object... values) {
        shapes.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    String markup(int width, double height, String background, String title) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\""
                                + " font-family=\"system-ui, sans-serif\" font-size=\"13\">",
                        width,
                        height,
                        width,
                        height)
                + "\n<title>" + escape(title) + "</title>\n"
                + "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"" + background + "\"/>\n"
                + shapes
                + "</svg>\n";
    }
}
