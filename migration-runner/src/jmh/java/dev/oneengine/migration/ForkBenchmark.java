package dev.oneengine.migration;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A migrated database in memory, for one test: migrated anew, or a fork. Each is closed again. */
@SuppressWarnings("NullAway.Init") // JMH calls write() first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ForkBenchmark {
    private static final String URL = "sqlite:///:memory:";

    /** How many there are. */
    @Param({"5", "100"})
    public int scripts;

    private MigrationRunner runner;
    private MigratedTemplate template;

    /** Writes the scripts, and makes the template. */
    @Setup(Level.Trial)
    public void write() throws IOException {
        Path folder = Files.createTempDirectory("fork-benchmark");
        for (int i = 1; i <= scripts; i++) {
            Path script = folder.resolve("V" + i + "__script.sql");
            Files.writeString(script, sql(i));
            // As in a project, where scripts are older than the tests that run.
            Files.setLastModifiedTime(script, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        }
        runner = MigrationRunner.on(URL).locations("filesystem:" + folder);
        template = MigratedTemplate.of(runner);
    }

    /** A fifth of the scripts make tables, with an index each; the others insert rows. */
    private static String sql(int script) {
        return script % 5 == 1
                ? "CREATE TABLE t" + script + "(id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE INDEX i" + script
                        + " ON t" + script + "(name);"
                : "INSERT INTO t" + (script - (script - 1) % 5) + "(name) VALUES ('" + script + "');";
    }

    /** Lets go of the template. */
    @TearDown(Level.Trial)
    public void close() {
        template.close();
    }

    /** Anew: a cache of its own for each, so that there is something to do. */
    @Benchmark
    public int migrated() {
        try (EngineCache cache = EngineCache.create()) {
            return runner.cache(cache).migrate().applied().size();
        }
    }

    /** A copy. */
    @Benchmark
    public boolean forked() {
        try (Engine fork = template.fork()) {
            return fork.isClosed();
        }
    }

    /** A copy, and one statement on it. */
    @Benchmark
    public int forkedAndUsed() throws SQLException {
        try (Engine fork = template.fork();
                Connection connection = fork.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate("DELETE FROM t1");
        }
    }
}
