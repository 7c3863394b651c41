package dev.oneengine.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How text stands out. Immutable. */
enum Style {
    /** Not at all: in files, and where somebody does not want it. */
    PLAIN,
    /** With the colours of terminals. */
    COLOUR;

    private static final String ESCAPE = "\u001b[";

    /**
     * The style that somebody asked for.
     *
     * @param arguments those of the program
     * @param noColour the environment's NO_COLOR: not empty if colours are not wanted, whoever else wants them
     */
    static Style of(List<String> arguments, @Nullable String noColour) {
        boolean forbidden = noColour != null && !noColour.isEmpty();
        return arguments.contains("--colour") && !forbidden ? COLOUR : PLAIN;
    }

    String strong(String text) {
        return paint("1", text);
    }

    String good(String text) {
        return paint("32", text);
    }

    String bad(String text) {
        return paint("31", text);
    }

    String mark(String text) {
        return paint("33", text);
    }

    private String paint(String code, String text) {
        return this == PLAIN || text.isBlank() ? text : ESCAPE + code + "m" + text + ESCAPE + "0m";
    }
}
