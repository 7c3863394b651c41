package dev.oneengine.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Copies features and adds a tag to the scenarios that must fail. Stateless and thread-safe. */
final class FeatureTagger {
    private static final String TAG = "@tdd_expected_fail";

    private FeatureTagger() {}

    /** Writes a copy of all features in which the scenarios with these IDs, and no others, have the tag. */
    static void mark(Path features, Set<String> ids, Path copies) throws IOException {
        Files.createDirectories(copies);
        deleteFiles(copies); // from an earlier run
        List<String> missing = new ArrayList<>(ids);
        try (Stream<Path> files = Files.list(features)) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".feature")).toList()) {
                Files.write(copies.resolve(file.getFileName()), mark(file, ids, missing));
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("No scenario has the ID: " + missing);
        }
    }

    private static void deleteFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<String> mark(Path file, Set<String> ids, List<String> missing) throws IOException {
        List<String> marked = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            boolean mustFail = ScenarioIds.of(line).filter(ids::contains).isPresent();
            ScenarioIds.of(line).ifPresent(missing::remove);
            marked.add(mustFail ? line + " " + TAG : line);
        }
        return marked;
    }
}
