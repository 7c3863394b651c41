package dev.oneengine.soak;

import dev.oneengine.testing.Database;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Runs random programs on all kinds of databases at once, for a certain time: `./gradlew soak -Pminutes=10`. Prints a
 * failure as the smallest program that shows it, with the seed of the original program: `./gradlew soak
 * -Pseed=file:42`.
 *
 * <p>Confined to its thread; starts other threads.
 */
public final class Soak {
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    private static final Duration SHRINKING = Duration.ofSeconds(30);
    private static final int MOST_FAILURES = 5;

    private final PrintStream out;
    private final Duration time;
    private final Map<Database, Server> servers = new EnumMap<>(Database.class);
    private final Map<Database, AtomicInteger> programs = new EnumMap<>(Database.class);
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    /** Programs hold the read lock while they run; a measurement holds the write lock. */
    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock(true);

    private Soak(PrintStream out, Duration time) {
        this.out = out;
        this.time = time;
    }

    /**
     * Runs programs until the time is over, or repeats one program.
     *
     * @param arguments the time in seconds, or a seed as a failure prints it
     */
    public static void main(String[] arguments) throws Exception {
        List<String> failures = arguments[0].contains(":")
                ? again(arguments[0], System.out)
                : run(Duration.ofSeconds(Long.parseLong(arguments[0])), System.out);
        if (!failures.isEmpty()) {
            System.exit(1);
        }
    }

    /**
     * Runs programs on all kinds of databases.
     *
     * @return the failures, as they were printed
     */
    public static List<String> run(Duration time, PrintStream out) throws Exception {
        return inDirectory(directory -> new Soak(out, time).run(directory));
    }

    /** Work in a directory that is deleted afterwards. */
    private interface Work<T> {
        T run(Path directory) throws Exception;
    }

    private static <T> T inDirectory(Work<T> work) throws Exception {
        Path directory = Files.createTempDirectory("soak");
        try {
            return work.run(directory);
        } finally {
            try (var paths = Files.walk(directory)) {
                paths.sorted(Comparator.reverseOrder()).forEach(Soak::delete);
            }
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the program of one seed.
     *
     * @param seed the database and the number, as a failure prints them
     */
    public static List<String> again(String seed, PrintStream out) throws Exception {
        String[] parts = seed.split(":", 2);
        Database database = Database.valueOf(parts[0]);
        Program program = Run.definedPart(Generator.program(database, Long.parseLong(parts[1])));
        out.println(program);
        return inDirectory(directory -> {
            try (Server server = new Server(database, directory)) {
                Run.Result result = runOften(program, server, program.isSequential() ? 1 : 100);
                out.println(result.failed() ? result.failure() : result.isDefined() ? "passed" : "undefined");
                return result.failed() ? List.of(String.valueOf(result.failure())) : List.of();
            }
        });
    }

    private static boolean failsWithoutHanging(Program program, Server server, int times) {
        Run.Result result = runOften(program, server, times);
        return result.failed() && !result.hangs();
    }

    private static Run.Result runOften(Program program, Server server, int times) {
        Run.Result result = Run.of(program, server);
        for (int i = 1; i < times && result.isDefined() && !result.failed(); i++) {
            result = Run.of(program, server);
        }
        return result;
    }

    private List<String> run(Path directory) throws Exception {
        long firstSeed = System.currentTimeMillis() * 1_000;
        for (Database database : Database.values()) {
            Path own = Files.createDirectory(directory.resolve(database.name()));
            servers.put(database, new Server(database, own));
            programs.put(database, new AtomicInteger());
        }
        long start = System.nanoTime();
        long deadline = start + time.toNanos();
        List<Thread> workers = new ArrayList<>();
        servers.forEach((database, server) -> {
            Thread worker = new Thread(() -> work(server, firstSeed, deadline), "soak " + database);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        });
        Resources warm = watch(start, workers);
        finish(start, warm);
        for (Server server : servers.values()) {
            server.close();
        }
        return List.copyOf(failures);
    }

    /**
     * Prints the progress until all workers are done. Returns the resources in use after half of the time, or after a
     * minute if that comes first.
     */
    private Resources watch(long start, List<Thread> workers) throws InterruptedException {
        long nextLine = start + PROGRESS.toNanos();
        long half = Math.min(time.toNanos() / 2, TimeUnit.MINUTES.toNanos(1));
        Resources warm = null;
        while (workers.stream().anyMatch(Thread::isAlive)) {
            if (System.nanoTime() - nextLine >= 0) {
                Resources now = measure();
                print(start, now);
                warm = warm == null && System.nanoTime() - start >= half ? now : warm;
                nextLine += PROGRESS.toNanos();
            }
            for (Thread worker : workers) {
                worker.join(20);
            }
        }
        return warm == null ? measure() : warm;
    }

    /** Measures while no program runs, unless one of them takes too long. */
    private Resources measure() throws InterruptedException {
        boolean quiet = running.writeLock().tryLock(1, TimeUnit.SECONDS);
        try {
            int sessions = 0;
            for (Server server : servers.values()) {
                sessions += server.sessions().size();
            }
            return Resources.now(sessions);
        } finally {
            if (quiet) {
                running.writeLock().unlock();
            }
        }
    }

    /** Fails if the use of resources has grown. Waits first, because idle executor threads end only after some seconds. */
    private void finish(long start, Resources warm) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        Resources end = measure();
        while (!warm.grownTo(end).isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            end = measure();
        }
        print(start, end);
        if (!warm.grownTo(end).isEmpty()) {
            fail("The programs leak resources: " + warm.grownTo(end));
        }
    }

    private void print(long start, Resources resources) {
        StringBuilder line = new StringBuilder("%5d s ".formatted((System.nanoTime() - start) / 1_000_000_000));
        programs.forEach((database, count) -> line.append(" %s %d,".formatted(database, count.get())));
        out.println(line + " " + failures.size() + " failures; " + resources);
    }

    private void fail(String text) {
        failures.add(text);
        out.println(text);
    }

    private void work(Server server, long firstSeed, long deadline) {
        int failed = 0;
        for (long seed = firstSeed; System.nanoTime() < deadline && failed < MOST_FAILURES; seed++) {
            Run.Result result = runOnce(server, seed);
            if (result.failed()) {
                failed++;
            }
            if (result.hangs()) {
                return; // its threads may still use the database
            }
        }
    }

    private Run.Result runOnce(Server server, long seed) {
        Program program = Run.definedPart(Generator.program(server.database(), seed));
        running.readLock().lock();
        try {
            Run.Result result = Run.of(program, server);
            if (result.isDefined()) {
                programs.get(server.database()).incrementAndGet();
            }
            if (result.failed()) {
                fail(report(program, seed, result, server));
            }
            return result;
        } finally {
            running.readLock().unlock();
        }
    }

    private String report(Program program, long seed, Run.Result result, Server server) {
        int times = program.isSequential() ? 1 : 10;
        Program smallest = result.hangs()
                ? program
                : Shrinker.shrink(
                        program,
                        smaller -> failsWithoutHanging(smaller, server, times),
                        System.nanoTime() + SHRINKING.toNanos());
        String failure = result.failure();
        if (!smallest.equals(program)) {
            Run.Result again = runOften(smallest, server, times * 3);
            failure = again.failed() ? again.failure() : failure + "\n(of the whole program)";
        }
        return "FAILED, to be repeated by -Pseed=" + server.database() + ":" + seed + "\n" + smallest + failure;
    }
}
