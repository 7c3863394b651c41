package dev.oneengine.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random programs for a short time; and that a program finds, shrinks and repeats what is wrong. */
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
        return new Program(database, 3, 4, scripts, false, List.of(List.of(steps)), List.of());
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
    void a_lost_row_is_found() throws Exception {
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
