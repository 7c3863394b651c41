package dev.oneengine.demo;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. Stateless and thread-safe. */
final class Wrapping {
    private Wrapping() {}

    /**
     * Breaks a text at its blanks, and breaks words that are longer than a line.
     *
     * @param width the maximum number of characters in a line
     */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        while (rest.length() > width) {
            int blank = rest.lastIndexOf(' ', width);
            int end = blank > 0 ? blank : width;
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
