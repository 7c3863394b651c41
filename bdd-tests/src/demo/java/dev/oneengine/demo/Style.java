package dev.oneengine.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How text is emphasized. Immutable and thread-safe. */
enum Style {
    /** Without colours: in files, or by request. */
    PLAIN,
    /** With the colours of terminals. */
    COLOUR;

    private static final String ESCAPE = "\u001b[";

    /**
     * Returns the style to use.
     *
     * @param arguments the arguments of the program
     * @param noColour the environment's NO_COLOR; unless empty, it overrides the arguments
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
