package dev.oneengine.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BenchmarkTest {
    private static final Path DOCS = Path.of("../docs");

    @TempDir
    Path directory;

    static Stream<String> comparisons() {
        return Comparisons.all().stream().map(Comparison::id);
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void each_comparison_runs_and_the_database_holds_what_was_reported(String id) throws Exception {
        Comparison comparison = Comparisons.of(id);
        Results results = Child.run(comparison, Effort.SMOKE);
        assertThat(results.ways(id)).contains(comparison.library());
        assertThat(new Summary(results).line(comparison)).startsWith(comparison.title());
    }

    @Test
    void a_lost_operation_is_detected() throws Exception {
        for (Task task : List.of(Tasks.ORDER, Tasks.UPDATE, Tasks.INSERTS)) {
            assertRejected(task, new Way.Tally(2, 0, 0), "holds 1");
        }
    }

    @Test
    void a_surplus_operation_is_detected() throws Exception {
        for (Task task : List.of(Tasks.ORDER, Tasks.UPDATE, Tasks.INSERTS)) {
            assertRejected(task, Way.Tally.NONE, "holds 1");
        }
    }

    /** sqlite-jdbc can report a commit as failed although it succeeded. */
    @Test
    void an_operation_reported_as_failed_may_be_in_the_database() throws Exception {
        try (Databases databases = new Databases(directory, Effort.SMOKE)) {
            Way way = new Ways(Tasks.ORDER).plain(databases.onDriver(Database.MEMORY));
            way.work().run();
            way.check().check(new Way.Tally(0, 1, 0));
            way.check().check(new Way.Tally(1, 1, 0));
        }
    }

    private void assertRejected(Task task, Way.Tally tally, String message) throws Exception {
        try (Databases databases = new Databases(directory, Effort.SMOKE)) {
            Way way = new Ways(task).plain(databases.onDriver(Database.MEMORY));
            way.work().run();
            assertThatThrownBy(() -> way.check().check(tally)).hasMessageContaining(message);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Database.class,
            names = {"MEMORY", "FILE"})
    void the_baseline_has_the_pragmas_of_an_engine(Database kind) throws Exception {
        try (Databases databases = new Databases(directory, Effort.SMOKE)) {
            assertThat(pragmas(databases.onDriver(kind))).isEqualTo(pragmas(databases.onEngine(kind)));
        }
    }

    @Test
    void the_baseline_has_the_pool_of_an_engine() {
        EngineSettings engine = EngineSettings.defaults();
        assertThat(DriverPool.POOL_SIZE).isEqualTo(engine.poolSize());
        assertThat(DriverPool.MINIMUM_IDLE).isEqualTo(engine.minimumIdle());
        assertThat(DriverPool.CONNECTION_TIMEOUT_MILLIS)
                .isEqualTo(engine.connectionTimeout().toMillis());
    }

    private static Map<String, Long> pragmas(Store store) throws SQLException {
        Map<String, Long> values = new LinkedHashMap<>();
        try (Connection connection = store.dataSource().getConnection()) {
            for (String pragma : List.of(
                    "foreign_keys",
                    "busy_timeout",
                    "synchronous",
                    "cache_size",
                    "page_size",
                    "temp_store",
                    "mmap_size",
                    "locking_mode",
                    "journal_mode",
                    "wal_autocheckpoint")) {
                try (var statement = connection.createStatement();
                        var rows = statement.executeQuery("PRAGMA " + pragma)) {
                    values.put(pragma, rows.next() ? rows.getString(1).hashCode() : -1L);
                }
            }
        }
        return values;
    }

    @Test
    void every_comparison_has_a_region_on_the_page() throws Exception {
        assertThat(Page.regions(page())).containsAll(comparisons().toList());
    }

    @Test
    void the_documented_numbers_match_the_results() throws Exception {
        Page page = new Page(Results.read(DOCS.resolve(Benchmark.RESULTS)));
        assertThat(page.filled(page())).isEqualTo(page());
        Map<String, String> committed = new LinkedHashMap<>();
        for (String picture : page.pictures(page()).keySet()) {
            committed.put(picture, Files.readString(DOCS.resolve(picture)));
        }
        assertThat(committed).isEqualTo(page.pictures(page()));
    }

    private static String page() throws Exception {
        return Files.readString(DOCS.resolve(Benchmark.PAGE));
    }

    @Test
    void an_edited_number_is_detected() {
        Results results = results();
        String filled = new Page(results).filled("<!-- benchmark order-memory -->\n<!-- end -->\n");
        assertThat(filled).contains("| **UnitOfWork.call** | 3.00 | 3.00 (3.00 to 3.00) |");
        assertThat(new Page(results).filled(filled)).isEqualTo(filled);
        assertThat(new Page(results).filled(filled.replace("3.00", "3.01"))).isEqualTo(filled);
    }

    private static Results results() {
        Results results = new Results();
        results.describe("date", "today");
        for (int round = 1; round <= 3; round++) {
            results.add("order-memory", Ways.PLAIN, Results.RATE, 500 * round);
            results.add("order-memory", Ways.UNIT, Results.RATE, 1500 * round);
            results.add("order-memory", "jOOQ on the driver", Results.RATE, 2000 * round);
            results.add("order-memory", "jOOQ on the engine", Results.RATE, 4000 * round);
        }
        return results;
    }

    @Test
    void the_page_names_what_is_faster_without_this_library() {
        assertThat(new Page(results()).filled("<!-- benchmark others -->\n<!-- end -->"))
                .contains("| Order in memory | jOOQ on the driver | 1.33 (1.33 to 1.33) |")
                .doesNotContain("jOOQ on the engine", "plain JDBC");
    }

    @Test
    void the_page_compares_a_tool_on_the_engine_with_the_driver() {
        assertThat(new Page(results()).filled("<!-- benchmark tools -->\n<!-- end -->"))
                .contains("| comparison | jOOQ |", "| Order in memory | 2.00 (2.00 to 2.00) |");
    }

    @Test
    void results_are_unchanged_after_writing_and_reading() throws Exception {
        Path file = directory.resolve("results.csv");
        Results results = results();
        results.add("order-memory", Ways.PLAIN, Results.RATE, 1234.5678);
        results.add("order-memory", Ways.PLAIN, Results.FAILED, 0);
        results.write(file);
        Results read = Results.read(file);
        read.write(directory.resolve("again.csv"));
        assertThat(directory.resolve("again.csv")).hasSameTextualContentAs(file);
        assertThat(read.of("order-memory", Ways.PLAIN, Results.RATE)).containsExactly(500.0, 1000.0, 1500.0, 1235.0);
    }

    @Test
    void quartiles_lie_between_the_values() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0, 5.0))).isEqualTo(new Spread(2, 3, 4));
        assertThat(Spread.of(List.of(1.0, 2.0))).isEqualTo(new Spread(1.25, 1.5, 1.75));
        assertThat(Spread.of(List.of(7.0))).isEqualTo(new Spread(7, 7, 7));
    }

    @Test
    void figures_have_three_significant_digits() {
        assertThat(Stream.of(0.0, 0.01234, 0.999, 1.0, 9.999, 12.34, 123.4, 12345.6)
                        .map(Figures::of))
                .containsExactly("0", "0.0123", "0.999", "1.00", "10.0", "12.3", "123", "12,300");
    }

    @Test
    void a_run_of_some_comparisons_does_not_change_the_page() throws Exception {
        Path docs = Files.createDirectory(directory.resolve("docs"));
        String page = "<!-- benchmark hit -->\n<!-- end -->\n<!-- benchmark plot hit -->\n<!-- end -->\n";
        Files.writeString(docs.resolve(Benchmark.PAGE), page);
        Path other = directory.resolve("other");
        List<String> lines = run(Effort.SMOKE, "hit-16", docs, other);
        assertThat(lines.get(0)).matches("1 of 1, \\d+ (s|min) left: Hit, 16 URLs in turn.*");
        assertThat(lines).anyMatch(line -> line.startsWith("Hit, 16 URLs in turn"));
        assertThat(docs.resolve(Benchmark.PAGE)).hasContent(page);
        assertThat(docs.resolve(Benchmark.RESULTS)).doesNotExist();
        assertThat(Results.read(other.resolve(Benchmark.RESULTS)).has("hit-16")).isTrue();
    }

    @Test
    void a_run_that_selects_no_comparison_lists_all() throws Exception {
        assertThat(run(Effort.SMOKE, "nothing", directory, directory)).contains("  order-memory");
    }

    private static List<String> run(Effort effort, String only, Path docs, Path other) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            Benchmark.run(effort, only, docs, other, out);
        }
        return new ArrayList<>(bytes.toString(StandardCharsets.UTF_8).lines().toList());
    }
}
