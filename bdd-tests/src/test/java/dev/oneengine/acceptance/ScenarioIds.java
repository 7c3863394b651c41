package dev.oneengine.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the ID of a scenario among its tags. Stateless and thread-safe. */
final class ScenarioIds {
    private static final Pattern TAG = Pattern.compile("(?<!\\S)@([A-Z]{2}-\\d{2})(?!\\S)");

    private ScenarioIds() {}

    /** The IDs of all scenarios. */
    static Set<String> all(Path features) throws IOException {
        Set<String> ids = new TreeSet<>();
        try (Stream<Path> files = Files.list(features)) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".feature")).toList()) {
                Files.readAllLines(file).forEach(line -> of(line).ifPresent(ids::add));
            }
        }
        return ids;
    }

    /** The ID in a line of tags, such as {@code EC-03} in {@code @EC-03 @closing}. */
    static Optional<String> of(String line) {
        Matcher tag = TAG.matcher(line);
        return line.strip().startsWith("@") && tag.find() ? Optional.of(tag.group(1)) : Optional.empty();
    }
}
