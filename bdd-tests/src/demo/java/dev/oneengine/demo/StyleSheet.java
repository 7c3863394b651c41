package dev.oneengine.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The style sheets of the page and of drawings in files. Stateless and thread-safe. */
final class StyleSheet {
    private static final Pattern DEFINITION = Pattern.compile("(--[a-z-]+): ([^;]+);");
    private static final Pattern USE = Pattern.compile("var\\((--[a-z-]+)\\)");

    private StyleSheet() {}

    /** Returns the style sheet of the page, which follows the reader's choice of light or dark. */
    static String page() {
        return ":root {\n" + read("light.css") + "}\n@media (prefers-color-scheme: dark) {\n:root {\n"
                + read("dark.css") + "}\n}\n" + read("page.css") + read("drawing.css");
    }

    /**
     * Returns the style sheet of a drawing in a separate file, in fixed colours.
     *
     * @param colours {@code light} or {@code dark}
     */
    static String drawing(String colours) {
        Map<String, String> values = DEFINITION
                .matcher(read(colours + ".css"))
                .results()
                .collect(Collectors.toMap(
                        (MatchResult definition) -> definition.group(1), definition -> definition.group(2)));
        return USE.matcher(read("drawing.css"))
                .replaceAll(use -> Objects.requireNonNull(values.get(use.group(1)), use::group));
    }

    private static String read(String name) {
        try (InputStream css = Objects.requireNonNull(StyleSheet.class.getResourceAsStream(name), name)) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
