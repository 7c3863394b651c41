package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oneengine.acceptance.driver.Driver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult.Status;

/**
 * The caches of docs/porting/python: the original fails exactly the scenarios of the race, the fix fails those that
 * need more than one lock, and the better caches fail none.
 */
@Timeout(180)
class PythonDriversTest {
    private static final Path FEATURES = Path.of("src/main/resources/dev/oneengine/acceptance");
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static final String RECENT =
            "import sqlite3, sys; sys.exit(sys.version_info < (3, 9) or sqlite3.sqlite_version_info < (3, 36))";
    private static final String WITH_SQLALCHEMY = "import sqlalchemy; " + RECENT;

    /** Two threads create an engine each. */
    private static final String[] RACE = {
        "EC-01", "EC-02", "EC-03", "EC-04", "EC-06", "EC-07", "EC-08", "EC-20", "EC-21", "LD-01", "LD-02", "MI-01"
    };

    /** The creation of one URL waits for the creation of another. */
    private static final String[] ONE_LOCK = {"EC-09", "EC-22"};

    /** SQLAlchemy gives each thread a separate connection, and so a separate database: "no such table". */
    private static final String[] DATABASE_PER_THREAD = {
        "EC-03", "ME-04", "ME-05", "MI-01", "MI-02", "MI-03", "MI-05", "MI-10", "UW-01", "UW-02", "UW-03"
    };

    /**
     * A cache in Python.
     *
     * @param name the name of its script, followed by the name of the cache if the script drives several
     * @param needs Python code that succeeds if this machine can run the script
     * @param mustFail the scenarios that must fail, and no others
     */
    record Port(String name, String needs, Set<String> mustFail) {
        String reportName() {
            return "python-" + name.replace(".py", "").replace(' ', '-');
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Port> ports() {
        return Stream.of(
                new Port("driver.py original", RECENT, Set.of(RACE)),
                new Port("driver.py fixed", RECENT, Set.of(ONE_LOCK)),
                new Port("driver.py better", RECENT, Set.of()),
                new Port("asyncio_cache.py", RECENT, Set.of()),
                new Port("sqlalchemy_driver.py original", WITH_SQLALCHEMY, union(RACE, DATABASE_PER_THREAD)),
                new Port("sqlalchemy_driver.py fixed", WITH_SQLALCHEMY, union(ONE_LOCK, DATABASE_PER_THREAD)),
                new Port("sqlalchemy_driver.py better", WITH_SQLALCHEMY, Set.of()));
    }

    private static Set<String> union(String[] one, String[] other) {
        return Stream.of(one, other).flatMap(Stream::of).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("ports")
    void a_python_port_fails_exactly_the_expected_scenarios(Port port) throws IOException {
        Optional<String> python = Stream.of("python3", "/usr/bin/python3")
                .flatMap(program -> executable(program, port.needs()).stream())
                .findFirst();
        assumeTrue(python.isPresent(), "no python3 on this machine can run: " + port.needs());
        Path copies = Path.of("build/features", port.reportName());
        FeatureTagger.mark(FEATURES, port.mustFail(), copies);
        AcceptanceKit.use(new Driver("\"" + python.get() + "\" docs/porting/python/" + port.name(), PROJECT));

        Report report = Report.of(copies, "@stress or not @stress", port.reportName());

        assertThat(report.ids(Status.FAILED))
                .as(() -> "what failed, of " + report.failures())
                .containsExactlyInAnyOrderElementsOf(port.mustFail());
        assertThat(report.ids(Status.SUCCESSFUL)).hasSizeGreaterThan(10);
        ConformancePage.compare(port.reportName(), report);
    }

    /** Returns the interpreter behind a program, if the code succeeds there. A version manager's script takes long to find it. */
    private static Optional<String> executable(String program, String code) {
        try {
            Process process = new ProcessBuilder(
                            program, "-c", "import sys; print(sys.executable, flush=True); " + code)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String path = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(path.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // the program does not exist
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
