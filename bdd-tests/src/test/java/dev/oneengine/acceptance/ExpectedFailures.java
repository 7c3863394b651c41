package dev.oneengine.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Copies of the features in which scenarios are marked that must fail. Stateless and thread-safe. */
final class ExpectedFailures {
    private static final String TAG = "@tdd_expected_fail";

    private ExpectedFailures() {}

    /** Writes a copy of all features in which the tag stands in front of these scenarios and of no other. */
    static void mark(Path features, Set<String> scenarios, Path copies) throws IOException {
        Files.createDirectories(copies);
        deleteFiles(copies); // of an earlier run
        List<String> missing = new ArrayList<>(scenarios);
        try (Stream<Path> files = Files.list(features)) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".feature")).toList()) {
                Files.write(copies.resolve(file.getFileName()), mark(file, scenarios, missing));
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("There are no scenarios, or not once each: " + missing);
        }
    }

    private static void deleteFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<String> mark(Path file, Set<String> scenarios, List<String> missing) throws IOException {
        List<String> marked = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String name = line.strip().replaceFirst("^Scenario( Outline)?: ", "");
            if (!name.equals(line.strip()) && scenarios.contains(name)) {
                marked.add("    " + TAG);
                missing.remove(name);
            }
            marked.add(line);
        }
        return marked;
    }
}
