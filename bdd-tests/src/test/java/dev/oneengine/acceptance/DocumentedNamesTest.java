package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every class and member that a document names exists in the sources. So renaming a class requires renaming it in the documents. */
class DocumentedNamesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> FOLDERS = List.of(
            "engine-cache/src",
            "unit-of-work/src",
            "migration-runner/src",
            "bdd-tests/src",
            "gradle/from-maven",
            "docs/porting");
    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|py)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(/?\\*|//).*$");
    private static final Pattern FENCED = Pattern.compile("(?s)```.*?```");
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|enum|record) (\\w+)");
    private static final Pattern HOP = Pattern.compile("(?m)^ +(\\w+)->>(\\w+): (\\w+)$");
    private static final Pattern TESTS = Pattern.compile("--tests '\\*(\\w+)'");
    private static final Pattern NAME =
            Pattern.compile("`@?(?![^`]*\\.sql)([A-Z]\\w*[a-z]\\w*)(?:\\.([a-zA-Z]\\w*))?(?:\\([^`]*)?`");

    /** Names from other libraries and languages that no source here uses, and a heading of the changelog. */
    private static final Set<String> FOREIGN =
            Set.of("SpringBootTest", "Primary", "ThreadState", "ProgrammingError", "Unreleased");

    private static final Sources SOURCES = Sources.read();

    /**
     * The identifiers of all sources.
     *
     * @param words all identifiers
     * @param members for each type of a module's main sources, the identifiers of the files that declare it
     */
    private record Sources(Set<String> words, Map<String, Set<String>> members) {
        static Sources read() {
            Sources sources = new Sources(new HashSet<>(), new HashMap<>());
            FOLDERS.forEach(folder -> sources.addFolder(ROOT.resolve(folder)));
            return sources;
        }

        private void addFolder(Path folder) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> SOURCE.matcher(file.toString()).matches()).forEach(this::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void add(Path file) {
            String code = COMMENT.matcher(content(file)).replaceAll("");
            List<String> identifiers = List.of(code.split("\\W+", -1));
            words().addAll(identifiers);
            if (file.toString().contains("/src/main/")) {
                DECLARATION
                        .matcher(code)
                        .results()
                        .forEach(type -> members()
                                .computeIfAbsent(type.group(1), name -> new HashSet<>())
                                .addAll(identifiers));
            }
        }

        boolean has(MatchResult name) {
            String type = name.group(1);
            String member = name.group(2);
            return FOREIGN.contains(type)
                    || (words.contains(type)
                            && (member == null
                                    || !members.containsKey(type)
                                    || members.get(type).contains(member)));
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        return documents.stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_name_in_a_document_exists(Path document) {
        assertThat(unknown(content(document))).isEmpty();
    }

    @Test
    void every_test_class_of_a_command_exists() throws IOException {
        List<String> classes = documents()
                .flatMap(document -> TESTS.matcher(content(document)).results())
                .map(command -> command.group(1))
                .toList();

        assertThat(classes).isNotEmpty().allMatch(SOURCES.words()::contains);
    }

    @Test
    void every_hop_of_the_drawn_request_is_a_method_that_the_class_calls() {
        List<MatchResult> hops = HOP.matcher(content(ROOT.resolve("docs/architecture.md")))
                .results()
                .toList();

        assertThat(hops).hasSizeGreaterThan(20).allSatisfy(hop -> {
            assertThat(SOURCES.members().get(hop.group(1))).as(hop.group()).contains(hop.group(3));
            assertThat(SOURCES.members().get(hop.group(2))).as(hop.group()).contains(hop.group(3));
        });
    }

    @Test
    void an_unknown_name_is_detected() {
        String misspelt = "Engine" + "Cash";

        assertThat(unknown("`EngineCache.engine`, `" + misspelt + "`, `EngineCache.motor(url)`, `@Test`, `SELECT`"))
                .containsExactly("`" + misspelt + "`", "`EngineCache.motor(url)`");
    }

    private static List<String> unknown(String document) {
        return NAME.matcher(FENCED.matcher(document).replaceAll(""))
                .results()
                .filter(name -> !SOURCES.has(name))
                .map(MatchResult::group)
                .toList();
    }
}
