package dev.oneengine.acceptance.driver;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a driver, which may be endless. Stateless and thread-safe. */
final class DriverLines {
    private static final int LONGEST = 1_000_000;
    private static final int LONGEST_SHOWN = 300;

    private DriverLines() {}

    /** Returns the next line without its end, or {@code null} at the end of the output. */
    static @Nullable String read(Reader output) throws IOException {
        StringBuilder line = new StringBuilder();
        int character;
        while ((character = output.read()) >= 0 && character != '\n') {
            if (line.length() == LONGEST) {
                throw new IOException("a line has more than " + LONGEST + " characters");
            }
            line.append((char) character);
        }
        return character < 0 && line.length() == 0 ? null : line.toString();
    }

    /** Returns a line as messages show it. */
    static String shortened(String line) {
        return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "...";
    }
}
