package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.ChildJvm;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Timeout(120)
class ThreadsTest {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final Pattern JAVA_VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Database.class)
    void units_in_an_executor_lose_no_work(Database database) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(16);
        try {
            count(database, directory, executor, 1_000);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Runs in this JVM if it has virtual threads, otherwise in a newer one that is installed on this machine. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void units_in_virtual_threads_lose_no_work(Database database) throws Exception {
        if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
            countInVirtualThreads(database, directory);
        } else {
            runInProcess(List.of(), "units", database);
        }
    }

    /** A virtual thread that waits inside SQLite pins its carrier. With both carriers pinned, the writer could not continue. */
    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "FILE"})
    void plain_jdbc_in_virtual_threads_does_not_pin_both_carriers(Database database) throws Exception {
        runInProcess(
                List.of("-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2"),
                "plain",
                database);
    }

    private void runInProcess(List<String> options, String what, Database database) throws Exception {
        Optional<Path> java = javaWithVirtualThreads();
        assumeTrue(java.isPresent(), "there is no JDK with virtual threads on this machine");
        ChildJvm.of(ThreadsTest.class, what, database.name(), directory.toString())
                .java(java.get())
                .quick()
                .options(options)
                .run();
    }

    /** Runs in a separate process. */
    public static void main(String[] args) throws Exception {
        Database database = Database.valueOf(args[1]);
        Path directory = Path.of(args[2]);
        if (args[0].equals("units")) {
            countInVirtualThreads(database, directory);
        } else {
            writeInVirtualThreads(database, directory);
        }
    }

    private static void writeInVirtualThreads(Database database, Path directory) throws Exception {
        int writers = 8;
        int rows = 200;
        ExecutorService executor = virtualThreads();
        try (EngineCache cache = Items.cacheWithTable(database.url(directory))) {
            DataSource dataSource = cache.engine(database.url(directory)).dataSource();
            List<Future<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int writer = i;
                futures.add(executor.submit(() -> {
                    for (int n = 0; n < rows; n++) {
                        try (Connection connection = dataSource.getConnection()) {
                            connection.setAutoCommit(false);
                            Sql.execute(connection, "INSERT INTO item VALUES ('" + writer + "-" + n + "')");
                            LockSupport.parkNanos(1_000); // frees the carrier for another virtual thread
                            connection.commit();
                        }
                    }
                    return true;
                }));
            }
            for (Future<Boolean> future : futures) {
                assertThat(future.get(Race.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            assertThat(Items.in(dataSource)).hasSize(writers * rows);
        } finally {
            executor.shutdownNow();
        }
    }

    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        // By reflection, because the tests are compiled for JDK 17, which has no virtual threads.
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static void countInVirtualThreads(Database database, Path directory) throws Exception {
        ExecutorService executor = virtualThreads();
        try {
            count(database, directory, executor, database == Database.MEMORY ? 10_000 : 1_000);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Optional<Path> javaWithVirtualThreads() throws IOException {
        List<Path> homes = new ArrayList<>();
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("JAVA_HOME")) {
                homes.add(Path.of(value));
            }
        });
        String home = System.getProperty("user.home");
        for (String place : List.of("/usr/lib/jvm", "/opt/java", home + "/.sdkman/candidates/java", home + "/.jdks")) {
            if (Files.isDirectory(Path.of(place))) {
                try (Stream<Path> found = Files.list(Path.of(place))) {
                    found.forEach(homes::add);
                }
            }
        }
        return homes.stream()
                .filter(jdk -> version(jdk) >= FIRST_WITH_VIRTUAL_THREADS)
                .map(jdk -> jdk.resolve("bin/java"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int version(Path jdk) {
        Matcher version = JAVA_VERSION.matcher(read(jdk.resolve("release")));
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    private static String read(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "unreadable: " + e.getMessage();
        }
    }

    @Test
    void units_in_ten_thousand_threads_lose_no_work() throws Exception {
        ExecutorService executor =
                Executors.newCachedThreadPool(task -> new Thread(null, task, "one of many", 128 * 1024));
        try {
            count(Database.MEMORY, directory, executor, 10_000);
        } finally {
            executor.shutdownNow();
            assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void count(Database database, Path directory, ExecutorService executor, int units) throws Exception {
        String url = database.url(directory);
        try (EngineCache cache = Items.cacheWithTable(url)) {
            Sql.execute(
                    cache.engine(url).dataSource(),
                    "CREATE TABLE counter(n INTEGER NOT NULL)",
                    "INSERT INTO counter VALUES (0)");
            UnitOfWork work = UnitOfWork.builder(url)
                    .cache(cache)
                    .retry(RetryPolicy.defaults().withAttempts(1_000).withDeadline(Duration.ofMinutes(2)))
                    .build();
            List<Future<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < units; i++) {
                String name = "item " + i;
                boolean counts = database != Database.POSTGRESQL
                        || i % 50 == 0; // on PostgreSQL it is slow if all units update one row
                futures.add(executor.submit(() -> {
                    work.run(tx -> {
                        Items.insert(tx, name);
                        if (counts) {
                            Sql.execute(tx.connection(), "UPDATE counter SET n = n + 1");
                        }
                    });
                    return counts;
                }));
            }
            int expected = 0;
            for (Future<Boolean> future : futures) {
                expected += future.get(Race.LIMIT.toSeconds(), TimeUnit.SECONDS) ? 1 : 0;
            }
            assertThat(work.<Integer, SQLException>read(
                            tx -> Items.in(tx.connection()).size()))
                    .isEqualTo(units);
            assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT n FROM counter"))
                    .isEqualTo("" + expected);
        }
    }
}
