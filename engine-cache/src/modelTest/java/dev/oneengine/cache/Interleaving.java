package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** The counterexample that the model checker finds for a broken cache. Stateless and thread-safe. */
final class Interleaving {
    private static final String BEGIN = "The following interleaving leads to the error:";

    private Interleaving() {}

    /** The smallest search that can find a race: one call in each of two threads. */
    static ModelCheckingOptions search() {
        return Models.search(1, 500, 1).actorsAfter(0);
    }

    /** Finds the race in a cache; fails if there is none. */
    static LincheckAssertionError of(Class<?> cache) {
        return Objects.requireNonNull(
                catchThrowableOfType(LincheckAssertionError.class, () -> search().check(cache)), "no race was found");
    }

    /**
     * Returns the steps of the race, each with its thread.
     *
     * <p>Only the steps are compared, because the rest of the message varies. The column width depends on the longest
     * step, and the stack trace below the table on the JDK.
     */
    static List<String> steps(LincheckAssertionError found) {
        return steps(Objects.requireNonNull(found.getMessage()));
    }

    /** The steps that docs/race.md explains. */
    static List<String> documented() {
        try {
            return steps(Files.readString(Path.of("../docs/race.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> steps(String text) {
        int begin = text.indexOf(BEGIN);
        if (begin < 0) {
            throw new IllegalArgumentException("There is no interleaving in: " + text);
        }
        return text.substring(begin + BEGIN.length())
                .lines()
                .map(String::strip)
                .dropWhile(String::isEmpty)
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("| --"))
                .map(line -> line.replaceAll(" {2,}", "  "))
                .toList();
    }
}
