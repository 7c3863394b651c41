package dev.oneengine.acceptance;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on troubleshooting has a section for each public exception, and quotes messages that the library throws. */
class DocumentedExceptionsTest {
    private static final Path PAGE = Path.of("../docs/troubleshooting.md");
    private static final List<String> MODULES = List.of("engine-cache", "unit-of-work", "migration-runner");

    /** Not the checked exception of the URL parser, whose package is not exported. */
    private static final Pattern EXCEPTION =
            Pattern.compile("public (?:final )?class (\\w+Exception) extends (?!Exception\\b)");

    private static final Pattern MESSAGE = Pattern.compile("(?m)^\\| `([^`]*)`[^|]* \\| [^|]* \\| [^|]* \\|$");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

    private static String sources() {
        return MODULES.stream().map(DocumentedExceptionsTest::sources).collect(joining());
    }

    private static String sources(String module) {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
            String code = files.filter(file -> file.toString().endsWith(".java"))
                    .map(DocumentedExceptionsTest::read)
                    .collect(joining());
            return CONCATENATION.matcher(code).replaceAll("").replace("\\\"", "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void every_public_exception_has_a_section() {
        List<String> exceptions = EXCEPTION
                .matcher(sources())
                .results()
                .map((MatchResult type) -> "## " + type.group(1))
                .toList();

        assertThat(exceptions).hasSizeGreaterThan(10);
        assertThat(exceptions).isSubsetOf(read(PAGE).lines().toList());
    }

    @Test
    void every_quoted_message_exists() {
        String sources = sources();
        String messages = read(PAGE).split("## Nothing fails", -1)[0];

        List<String> fragments = MESSAGE.matcher(messages)
                .results()
                .flatMap((MatchResult message) -> Stream.of(message.group(1).split("…", -1)))
                .map(String::strip)
                .filter(fragment -> fragment.length() > 3)
                .toList();

        assertThat(fragments).hasSizeGreaterThan(30);
        assertThat(fragments)
                .filteredOn(fragment -> !sources.contains(fragment))
                .isEmpty();
    }
}
