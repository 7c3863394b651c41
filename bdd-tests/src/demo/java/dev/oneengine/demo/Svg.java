package dev.oneengine.demo;

import java.util.Locale;

/** A drawing whose colours come from the style sheet of its page or file. Not thread-safe. */
final class Svg {
    private final StringBuilder shapes = new StringBuilder();
    private final String id;
    private final int width;

    /**
     * Begins a drawing.
     *
     * @param id a unique name within the page
     * @param width the width; the page scales the drawing
     */
    Svg(String id, int width) {
        this.id = id;
        this.width = width;
    }

    /** Escapes a text for markup. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    Svg rect(String type, int x, int y, int w, int h) {
        return add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>", type, x, y, w, h);
    }

    Svg line(String type, int x1, int y1, int x2, int y2) {
        return add("<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", type, x1, y1, x2, y2);
    }

    /** Adds a horizontal arrow. */
    Svg arrow(String type, int from, int to, int y) {
        int back = from < to ? to - 7 : to + 7;
        line(type, from, y, back, y);
        return add("<path class=\"%s head\" d=\"M%d %dL%d %dL%d %dZ\"/>", type, to, y, back, y - 5, back, y + 5);
    }

    Svg circle(String type, int x, int y, int radius) {
        return add("<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", type, x, y, radius);
    }

    /** Adds a text; its class sets whether it begins, ends or is centred at the position. */
    Svg text(String type, int x, int y, String text) {
        return add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", type, x, y, escape(text));
    }

    private Svg add(String format, Object... values) {
        shapes.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    /**
     * Places the shapes in another drawing.
     *
     * @param x the offset to the right
     * @param y the offset downwards
     */
    String group(int x, int y) {
        return String.format(Locale.ROOT, "<g transform=\"translate(%d %d)\">\n%s</g>\n", x, y, shapes);
    }

    /**
     * Returns the markup of the drawing, for a page.
     *
     * @param height the height
     * @param title a title for readers who cannot see the drawing
     * @param description a description for them
     */
    String markup(int height, String title, String description) {
        return String.format(
                        Locale.ROOT,
                        "<svg role=\"img\" aria-labelledby=\"%s-title %s-desc\" viewBox=\"0 0 %d %d\">\n",
                        id,
                        id,
                        width,
                        height)
                + "<title id=\"" + id + "-title\">" + escape(title) + "</title>\n"
                + "<desc id=\"" + id + "-desc\">" + escape(description) + "</desc>\n"
                + shapes
                + "</svg>\n";
    }
}
