package dev.oneengine.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs one comparison. Runs as a program in a separate JVM, because code that the JIT optimised for one comparison
 * would slow down the next.
 */
final class Child {
    private Child() {}

    /**
     * Runs a comparison and writes its results.
     *
     * @param arguments the comparison, the effort and the file for the results
     */
    public static void main(String[] arguments) throws Exception {
        Results results = run(Comparisons.of(arguments[0]), Effort.valueOf(arguments[1]));
        results.write(Path.of(arguments[2]));
        System.exit(0); // some of the libraries leak threads
    }

    /** Runs a comparison in a folder that it deletes. */
    static Results run(Comparison comparison, Effort effort) throws Exception {
        Results results = new Results();
        Path directory = Files.createTempDirectory("benchmark");
        try (Databases databases = new Databases(directory, effort)) {
            comparison.runner().run(comparison, databases, results);
        } finally {
            delete(directory);
        }
        return results;
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
