package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.ChildJvm;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each script runs once for all processes. The tests start real processes and kill some of them. */
@Tag("slow")
class ProcessesTest {
    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void kill() {
        processes.forEach(Process::destroyForcibly);
    }

    /** Migrates, and returns the number of applied scripts as its exit code. */
    public static final class Migrator {
        private Migrator() {}

        public static void main(String[] arguments) throws Exception {
            Path go = Path.of(arguments[2]);
            try (EngineCache cache = EngineCache.create()) {
                MigrationRunner runner =
                        MigrationRunner.on(arguments[0]).cache(cache).locations(arguments[1]);
                Files.createFile(
                        go.resolveSibling("ready-" + ProcessHandle.current().pid()));
                while (!Files.exists(go)) {
                    LockSupport.parkNanos(
                            TimeUnit.MILLISECONDS.toNanos(1)); // waits until all other processes have started
                }
                System.exit(runner.migrate().applied().size());
            } catch (Throwable t) {
                t.printStackTrace();
                System.exit(100);
            }
        }
    }

    private Process migrator(String url, Folder scripts, Path go) throws Exception {
        Process process = ChildJvm.of(Migrator.class, url, scripts.location(), go.toString())
                .quick()
                .start(output());
        processes.add(process);
        return process;
    }

    private Path output() {
        return directory.resolve("output.txt");
    }

    private void awaitReady(Process process) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(directory.resolve("ready-" + process.pid())) || !process.isAlive());
    }

    private static int exit(Process process) throws InterruptedException {
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("it ends").isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"FILE", "POSTGRESQL"},
            value = Database.class)
    void racing_processes_apply_each_script_once(Database database) throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        String url = database.newUrl(directory);
        Path go = directory.resolve("go");
        for (int i = 0; i < 4; i++) {
            migrator(url, scripts, go);
        }
        processes.forEach(this::awaitReady);

        Files.createFile(go);

        int applied = 0;
        for (Process process : processes) {
            applied += exit(process);
        }
        assertThat(applied)
                .as("scripts applied by all processes together. Their output: %s", Files.readString(output()))
                .isEqualTo(2);
        assertAppliedOnce(url);
    }

    private static void assertAppliedOnce(String url) throws Exception {
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine(url);
            assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM one"))
                    .isEqualTo("1");
            assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM two"))
                    .isEqualTo("1");
        }
    }

    /** Runs until its process is killed. */
    private static final String ENDLESS =
            "CREATE TABLE half(name TEXT);\nWITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0)"
                    + " SELECT count(*) FROM n;";

    @Test
    void a_process_killed_during_a_script_leaves_neither_partial_work_nor_a_lock() throws Exception {
        Folder scripts = Folder.withTwoScripts(directory).script("V3__endless.sql", ENDLESS);
        String url = Database.FILE.newUrl(directory);
        Path database = Path.of(url.substring("jdbc:sqlite:".length()));
        Path go = Files.createFile(directory.resolve("go"));
        Process victim = migrator(url, scripts, go);
        // The process holds the lock while its endless script runs.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !victim.isAlive() || isHeld(MigrationFileLock.fileOf(database)));
        assertThat(victim.isAlive()).isTrue();
        try (EngineCache cache = EngineCache.create()) {
            MigrationRunner hurried = MigrationRunner.on(url)
                    .cache(cache)
                    .locations(scripts.location())
                    .lockTimeout(Duration.ofMillis(50));
            assertThatThrownBy(hurried::migrate)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("another process has been migrating it for more than PT0.05S");
            assertThat(hurried.pending())
                    .as("a read-only call does not wait for the lock")
                    .hasSize(3);
        }

        victim.destroyForcibly();
        exit(victim);

        scripts.script("V3__endless.sql", "CREATE TABLE whole(name TEXT);");
        try (EngineCache cache = EngineCache.create()) {
            MigrationRunner runner = MigrationRunner.on(url).cache(cache).locations(scripts.location());
            assertThat(runner.pending())
                    .as("no work of the killed process remains")
                    .hasSize(3);
            assertThat(runner.migrate().applied()).hasSize(3);
            assertThat(Sql.query(
                            cache.engine(url).dataSource(),
                            "SELECT count(*) FROM sqlite_master WHERE name IN ('half', 'whole')"))
                    .isEqualTo("1");
        }
        assertAppliedOnce(url);
    }

    private static boolean isHeld(Path lock) throws Exception {
        if (!Files.exists(lock)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            return channel.tryLock() == null;
        }
    }

    @Test
    void a_process_that_waited_for_another_finds_no_pending_script() throws Exception {
        Folder scripts = Folder.withTwoScripts(directory);
        String url = Database.FILE.newUrl(directory);
        Path database = Path.of(url.substring("jdbc:sqlite:".length()));
        Path go = Files.createFile(directory.resolve("go"));

        Process waiting = MigrationFileLock.holding(database, Duration.ofMinutes(1), () -> {
            try {
                Process process = migrator(url, scripts, go);
                awaitReady(process);
                assertThat(process.waitFor(200, TimeUnit.MILLISECONDS))
                        .as("the process waits for the lock")
                        .isFalse();
                return process;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });

        assertThat(exit(waiting)).isEqualTo(2);
        try (EngineCache cache = EngineCache.create()) {
            assertThat(MigrationRunner.on(url)
                            .cache(cache)
                            .locations(scripts.location())
                            .migrate()
                            .applied())
                    .isEmpty();
        }
    }
}
