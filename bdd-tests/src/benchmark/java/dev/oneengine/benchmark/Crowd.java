package dev.oneengine.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.benchmark.Comparison.Runner;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.migration.MigratedTemplate;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.ChildJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Keeps many databases in memory open, each used once, in a separate JVM. Confined to its thread. */
final class Crowd {
    static final String FORKS = "template.fork()";
    static final String ENGINES = "engines of an EngineCache";
    static final String POOLS = "HikariCP on copies by the driver";

    /** The largest number of pools without this library. It is limited because each pool has a thread. */
    private static final int MOST_POOLS = 1_000;

    private Crowd() {}

    /** Measures some ways, each in a new JVM. */
    static Runner of(String... ways) {
        return (comparison, databases, results) -> {
            String location = Scripts.write(databases.directory(), 100);
            int crowd = databases.effort().crowd();
            for (String way : ways) {
                int number = way.equals(ENGINES) ? crowd : Math.min(crowd, MOST_POOLS);
                ChildJvm.of(Crowd.class, way, String.valueOf(number), location)
                        .options(Benchmark.FLAGS)
                        .run()
                        .lines()
                        .filter(line ->
                                line.matches("[A-Za-z ]+=[-0-9.]+")) // newer JDKs print warnings before the result
                        .map(line -> line.split("=", 2))
                        .forEach(parts -> results.add(comparison.id(), way, parts[0], Double.parseDouble(parts[1])));
            }
        };
    }

    /** Opens one more database, and returns what closes it. */
    private interface Opening {
        AutoCloseable open(int number) throws Exception;
    }

    /**
     * Measures one way.
     *
     * @param arguments the way, the number of databases and the location of the scripts
     */
    public static void main(String[] arguments) throws Exception {
        Opening opening = opening(arguments[0], arguments[2]);
        int number = Integer.parseInt(arguments[1]);
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        List<AutoCloseable> open = new ArrayList<>();
        open.add(opening.open(-1));
        long heap = heap();
        long resident = resident();
        long begin = System.nanoTime();
        for (int i = 0; i < number; i++) {
            open.add(opening.open(i));
        }
        double millis = (System.nanoTime() - begin) / 1e6;
        print("databases", number);
        print("ms each", millis / number);
        print("heap kB each", (heap() - heap) / 1e3 / number);
        print("resident kB each", (resident() - resident) / 1e3 / number);
        print("threads in all", ManagementFactory.getThreadMXBean().getThreadCount() - threads);
        for (AutoCloseable database : open) {
            database.close();
        }
        System.exit(0);
    }

    private static void print(String name, double value) {
        System.out.println(String.format(Locale.ROOT, "%s=%.3f", name, value));
    }

    private static Opening opening(String way, String location) throws Exception {
        switch (way) {
            case FORKS -> {
                MigratedTemplate template = MigratedTemplate.of(
                        MigrationRunner.on("sqlite:///:memory:").locations(location));
                return number -> {
                    Engine fork = template.fork();
                    Forks.use(fork.dataSource().getConnection());
                    return fork;
                };
            }
            case ENGINES -> {
                EngineCache cache = EngineCache.create();
                return number -> {
                    Engine engine = cache.engine("jdbc:sqlite:file:crowd" + number + "?mode=memory");
                    try (Connection connection = engine.dataSource().getConnection()) {
                        Task.number(connection, "SELECT 1");
                    }
                    return engine;
                };
            }
            default -> {
                String original = UUID.randomUUID().toString();
                Connection anchor = DriverPool.anchor(original);
                try (HikariDataSource pool = DriverPool.openMemory(original)) {
                    Forks.migrate(pool, location);
                }
                return number -> pool(original, anchor);
            }
        }
    }

    private static AutoCloseable pool(String original, Connection anchor) throws Exception {
        String name = UUID.randomUUID().toString();
        Connection copy = DriverPool.anchor(name);
        Forks.restore(copy, original);
        HikariDataSource pool = DriverPool.openMemory(name);
        Forks.use(pool.getConnection());
        return () -> {
            pool.close();
            copy.close();
            anchor.close();
        };
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Returns the memory of the process; 0 on systems other than Linux, where it is unknown. */
    private static long resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        }
    }
}
