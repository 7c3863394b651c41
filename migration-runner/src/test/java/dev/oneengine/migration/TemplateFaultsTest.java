package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineException;
import dev.oneengine.migration.FaultsTest.Fault;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.FaultyFiles;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failed template or fork leaves nothing behind, and the next one works. */
@Timeout(120)
class TemplateFaultsTest {
    @TempDir
    Path directory;

    private Folder scripts;

    @BeforeEach
    void write() throws IOException {
        scripts = Folder.withTwoScripts(directory);
    }

    private MigrationRunner on(String url) {
        return MigrationRunner.on(url).locations(scripts.location());
    }

    private static List<String> databases(String url) throws Exception {
        try (EngineCache cache = EngineCache.create()) {
            return List.of(Sql.query(
                            cache.engine(url).dataSource(),
                            "SELECT coalesce(string_agg(datname, ','), '') FROM pg_database WHERE datname LIKE 'one_engine%'")
                    .split(",", -1));
        }
    }

    private static boolean exists(DatabaseUrl database, String server) throws Exception {
        return switch (database.kind()) {
            case SQLITE_FILE -> Files.exists(Path.of(database.name()).getParent());
            case POSTGRESQL -> databases(server).contains(database.name());
            default -> false; // an in-memory database ends with its last connection
        };
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void an_error_in_the_seed_leaks_nothing(Database database) throws Exception {
        String url = database.newUrl(directory);
        List<Engine> filled = new ArrayList<>();

        assertThatThrownBy(() -> MigratedTemplate.of(on(url), engine -> {
                    filled.add(engine);
                    throw new StackOverflowError("too deep");
                }))
                .isInstanceOf(StackOverflowError.class)
                .hasNoSuppressedExceptions();

        assertThat(filled).singleElement().matches(Engine::isClosed);
        assertThat(exists(filled.get(0).url(), url)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void an_interrupted_fork_leaks_nothing_and_the_next_one_works(Database database) throws Exception {
        String url = database.newUrl(directory);
        List<Engine> filled = new ArrayList<>();
        try (MigratedTemplate template = MigratedTemplate.of(on(url), filled::add)) {
            List<String> before = beside(filled.get(0), url);
            Thread.currentThread().interrupt();
            try {
                template.fork().close();
            } catch (EngineException e) {
                assertThat(Thread.currentThread().isInterrupted())
                        .as("the interrupt is preserved")
                        .isTrue();
            } finally {
                Thread.interrupted();
            }
            assertThat(beside(filled.get(0), url)).isEqualTo(before);

            try (Engine fork = template.fork()) {
                assertThat(Sql.query(fork.dataSource(), "SELECT count(*) FROM one"))
                        .isEqualTo("1");
            }
            assertThat(beside(filled.get(0), url)).isEqualTo(before);
        }
    }

    /** A file may stay only if its own deletion failed. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Fault.class)
    void a_failing_file_system_leaves_no_file_behind(Fault fault) throws Exception {
        FaultsTest.Faults faults = new FaultsTest.Faults();
        try {
            for (int i = 0; i < 2; i++) { // the first run also loads classes
                faults.count();
                useTemplate();
            }
            Map<String, Integer> calls = Map.copyOf(faults.calls);
            assertThat(calls).containsKeys("file createDirectory", "file transferTo", "file tryLock");
            for (String call : calls.keySet()) {
                int all = calls.get(call);
                IntStream numbers = all > 50 ? IntStream.of(1, all) : IntStream.rangeClosed(1, all);
                for (int number : numbers.toArray()) {
                    faults.failAt(call, number, fault);
                    Throwable failure = catchThrowable(this::useTemplate);
                    faults.off();
                    String what = fault + " in " + call + " " + number + " of " + all + ": " + failure;
                    if (call.equals("file deleteIfExists") && fault != Fault.INTERRUPT) {
                        assertThat(failure).as(what).isNotNull();
                        removeLeft(what);
                    }
                    assertThat(FaultyFiles.left()).as(what).isEmpty();
                }
            }
        } finally {
            faults.off();
        }
    }

    private void useTemplate() throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(Database.FILE.newUrl(directory)));
                Engine fork = template.fork()) {
            Sql.execute(fork.dataSource(), "INSERT INTO one VALUES ('x')");
        }
    }

    private static void removeLeft(String what) throws IOException {
        for (Path directory : FaultyFiles.left()) {
            try (Stream<Path> files = Files.list(directory)) {
                List<Path> left = files.toList();
                assertThat(left).as(what).hasSizeLessThan(2);
                for (Path file : left) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static List<String> beside(Engine template, String server) throws Exception {
        if (template.url().kind() == Kind.POSTGRESQL) {
            return databases(server);
        }
        if (template.url().kind() != Kind.SQLITE_FILE) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(template.url().name()).getParent())) {
            return files.map(Path::toString).sorted().toList();
        }
    }
}
