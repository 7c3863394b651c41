package dev.oneengine.acceptance;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the ID of a scenario among its tags. Stateless and thread-safe. */
final class ScenarioIds {
    private static final Pattern TAG = Pattern.compile("(?<!\\S)@([A-Z]{2}-\\d{2})(?!\\S)");

    private ScenarioIds() {}

    /** The ID in a line of tags, such as {@code EC-03} in {@code @EC-03 @closing}. */
    static Optional<String> of(String line) {
        Matcher tag = TAG.matcher(line);
        return line.strip().startsWith("@") && tag.find() ? Optional.of(tag.group(1)) : Optional.empty();
    }
}
