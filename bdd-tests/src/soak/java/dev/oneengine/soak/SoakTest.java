package dev.oneengine.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs random programs for a short time, and checks that a defect is found, shrunk and repeated. */
@Timeout(300)
class SoakTest {
    @TempDir
    Path directory;

    @Test
    void random_programs_do_what_the_model_predicts() throws Exception {
        assertThat(Soak.run(Duration.ofSeconds(20), System.out)).isEmpty();
    }

    private static Step step(Kind kind, int number, Step... body) {
        return new Step(kind, number, List.of(body));
    }

    private static Program program(Database database, boolean scripts, Step... steps) {
        return new Program(database, 3, 4, scripts, false, false, List.of(List.of(steps)), List.of());
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_seed_gives_the_same_program_each_time(Database database) {
        for (long seed = 0; seed < 100; seed++) {
            assertThat(Generator.program(database, seed)).isEqualTo(Generator.program(database, seed));
        }
    }

    /** A trigger swallows rows, as if a commit had been lost. */
    @Test
    void a_lost_row_is_detected() throws Exception {
        Program program = program(Database.MEMORY, true, step(Kind.RUN, 0, step(Kind.INSERT, 4)));
        try (Server server = new Server(Database.MEMORY, directory)) {
            assertThat(Run.of(program, server)).isEqualTo(new Run.Result(null, true, false));
            Files.writeString(
                    directory.resolve("v1").resolve("V1__script.sql"),
                    "CREATE TRIGGER loss AFTER INSERT ON t0 BEGIN DELETE FROM t0 WHERE id = NEW.id; END;\n",
                    StandardOpenOption.APPEND);
            Run.Result result = Run.of(program, server);
            assertThat(result.failure()).contains("expected rows {t0/4=a}, engines 1", "but was  rows {}, engines 1");
        }
    }

    @Test
    void a_lost_row_of_an_independent_unit_is_detected_among_other_threads() throws Exception {
        List<Step> first = List.of(
                step(Kind.READ, 0, step(Kind.INDEPENDENT, 0, step(Kind.INSERT, 11), step(Kind.AFTER_COMMIT, 0))));
        List<Step> second = List.of(step(Kind.RUN, 0, step(Kind.INSERT, 101)));
        Program program = new Program(Database.FILE, 1, 6, true, false, false, List.of(first, second), List.of());
        try (Server server = new Server(Database.FILE, directory)) {
            assertThat(Run.of(program, server)).isEqualTo(new Run.Result(null, true, false));
            Files.writeString(
                    directory.resolve("v1").resolve("V1__script.sql"),
                    "CREATE TRIGGER loss AFTER INSERT ON t1 BEGIN DELETE FROM t1 WHERE id = NEW.id; END;\n",
                    StandardOpenOption.APPEND);
            Run.Result result = Run.of(program, server);
            assertThat(result.failure()).contains("thread 0", "expected {t1/11=a}", "but was  {}");
        }
    }

    /** If another thread disturbs a step, the model accepts any set of its transactions, but each only as a whole. */
    @Test
    void a_disturbed_step_may_leave_only_whole_transactions() {
        Program program = program(Database.POSTGRESQL, false);
        Model model = new Model(program, new Interrupts());
        Step step = step(
                Kind.RUN,
                0,
                step(Kind.INSERT, 1),
                step(Kind.INDEPENDENT, 0, step(Kind.INSERT, 11), step(Kind.INSERT, 12)),
                step(Kind.AFTER_COMMIT, 0, step(Kind.RUN, 0, step(Kind.INSERT, 21))));
        new Interpreter(model, program.with(List.of(List.of(step)), List.of()).numbers()).runOutside(step);
        Map<String, String> independent = Map.of("t1/11", "a", "t1/12", "a");
        Map<String, String> committed = Map.of("t1/11", "a", "t1/12", "a", "t0/1", "a");

        assertThat(model.mayLeave(Map.of(), Map.of(), false)).isTrue();
        assertThat(model.mayLeave(independent, Map.of(), false)).isTrue();
        assertThat(model.mayLeave(committed, Map.of(), true)).isTrue();
        assertThat(model.mayLeave(committed, Map.of(), null)).isTrue();

        assertThat(model.mayLeave(independent, Map.of(), true)).isFalse();
        assertThat(model.mayLeave(committed, Map.of(), false)).isFalse();
        assertThat(model.mayLeave(Map.of("t1/11", "a"), Map.of(), null)).isFalse();
        assertThat(model.mayLeave(Map.of("t0/21", "a"), Map.of(), null)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void threads_open_transactions_within_transactions(Database database) {
        String concurrent = LongStream.range(0, 600)
                .mapToObj(seed -> Run.definedPart(Generator.program(database, seed)))
                .filter(program -> !program.isSequential())
                .map(Program::toString)
                .collect(Collectors.joining());
        assertThat(concurrent).contains("independent {", "after commit {", "after rollback {", "fork {");
    }

    @Test
    void a_program_without_a_prediction_is_not_run() throws Exception {
        Program program = program(Database.MEMORY, false, step(Kind.BEGIN_AND_LEAVE_OPEN, 0));
        try (Server server = new Server(Database.MEMORY, directory)) {
            assertThat(Run.of(program, server)).isEqualTo(Run.Result.UNDEFINED);
        }
    }

    @Test
    void a_failing_program_shrinks_to_the_steps_that_matter() {
        Predicate<Program> fails =
                program -> program.toString().replaceAll("(?s)\\s+", " ").contains("nested {");
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        for (long seed = 0; seed < 50; seed++) {
            Program program = Generator.program(Database.FILE, seed);
            if (fails.test(program)) {
                assertThat(Shrinker.shrink(program, fails, deadline).size()).isLessThanOrEqualTo(2);
            }
        }
    }

    @Test
    void the_text_of_a_program_shows_its_steps() {
        Program program = program(Database.FILE, false, step(Kind.RUN, 0, step(Kind.INSERT, 1)), step(Kind.EVICT, 0));
        assertThat(program.toString().lines())
                .containsExactly(
                        "FILE, 3 attempts, 4 connections, tables by preparation",
                        "   1  run {",
                        "   2    insert 1",
                        "      }",
                        "   3  evict");
    }
}
