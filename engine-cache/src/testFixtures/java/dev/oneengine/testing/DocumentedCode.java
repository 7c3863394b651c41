package dev.oneengine.testing;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps the Java in a document true: each block must stand word for word in a test that is compiled and run; only the
 * indentation may differ. Stateless and thread-safe.
 */
public final class DocumentedCode {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private DocumentedCode() {}

    /**
     * Finds the blocks of a document that no test contains.
     *
     * @param document a Markdown file
     * @param tests the folder with the sources of the tests
     * @return the blocks that no test contains; empty if all is well
     * @throws IllegalArgumentException if the document contains no Java
     */
    public static List<String> missing(Path document, Path tests) {
        List<String> blocks = JAVA_BLOCK
                .matcher(read(document))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("There is no Java in " + document);
        }
        String code = sources(tests);
        return blocks.stream()
                .filter(block -> !code.contains(withoutIndentation(block)))
                .toList();
    }

    private static String sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> withoutIndentation(read(file)))
                    .collect(joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(joining("\n"));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
