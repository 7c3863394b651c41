package dev.oneengine.demo;

import dev.oneengine.demo.Contender.Conflicts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.sqlite.SQLiteException;

/**
 * Measures eight threads that write to one database in memory. A transaction reads a counter, adds a row and writes the
 * counter plus one. Nothing retries a failed transaction. Immutable and thread-safe.
 */
final class ContentionDemo {
    static final int WRITERS = 8;

    private final Duration warmUp;
    private final Duration duration;

    /**
     * Creates the measurement.
     *
     * @param duration the time for each contender, after a warm-up of the same length; a shorter warm-up favours contenders that
     *     share compiled code
     */
    ContentionDemo(Duration duration) {
        this.warmUp = duration;
        this.duration = duration;
    }

    List<Contention> run() throws Exception {
        List<Contention> results = new ArrayList<>();
        results.add(measure(plain("pool, cache=shared", Conflicts.ALWAYS, MemoryPool.sharedCache(), "DEFERRED")));
        results.add(measure(plain("pool, memdb, BEGIN", Conflicts.PERHAPS, MemoryPool.memdb(), "DEFERRED")));
        results.add(measure(plain("pool, memdb, BEGIN IMMEDIATE", Conflicts.PERHAPS, MemoryPool.memdb(), "IMMEDIATE")));
        results.add(measure(new Contender.Library(WRITERS)));
        return results;
    }

    private static Contender plain(String name, Conflicts conflicts, String url, String transactionMode) {
        return new Contender.Plain(name, conflicts, MemoryPool.open(url, WRITERS, transactionMode));
    }

    private Contention measure(Contender contender) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (contender) {
            prepare(contender);
            write(contender, threads, warmUp);
            execute(contender, "DELETE FROM entry", "UPDATE counter SET value = 0");
            long begin = System.nanoTime();
            List<Tally> tallies = write(contender, threads, duration);
            double seconds = (System.nanoTime() - begin) / 1e9;
            return sum(contender, tallies, seconds);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void prepare(Contender contender) throws SQLException {
        execute(
                contender,
                "CREATE TABLE counter(value INTEGER NOT NULL)",
                "INSERT INTO counter VALUES (0)",
                "CREATE TABLE entry(writer INTEGER NOT NULL)");
    }

    private static List<Tally> write(Contender contender, ExecutorService threads, Duration time) throws Exception {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        List<Future<Tally>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers.add(threads.submit(() -> {
                Limits.await(start);
                return writeUntil(System.nanoTime() + time.toNanos(), contender, writer);
            }));
        }
        List<Tally> tallies = new ArrayList<>();
        for (Future<Tally> writer : writers) {
            tallies.add(Limits.get(writer));
        }
        return tallies;
    }

    private static Tally writeUntil(long end, Contender contender, int writer) {
        Tally tally = new Tally();
        long now = System.nanoTime();
        long lastCommit = now;
        while (now < end) {
            boolean committed = false;
            try {
                contender.transact(connection -> addEntry(connection, writer));
                committed = true;
                tally.committed++;
            } catch (SQLException e) {
                tally.failures.merge(code(e), 1L, Long::sum);
            }
            now = System.nanoTime();
            tally.longest = Math.max(tally.longest, now - lastCommit);
            if (committed) {
                lastCommit = now;
            }
        }
        return tally;
    }

    private static void addEntry(Connection connection, int writer) throws SQLException {
        long value = query(connection, "SELECT value FROM counter");
        update(connection, "INSERT INTO entry VALUES (?)", writer);
        update(connection, "UPDATE counter SET value = ?", value + 1);
    }

    private static long query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.getLong(1);
        }
    }

    private static void update(Connection connection, String sql, long parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, parameter);
            statement.executeUpdate();
        }
    }

    private static void execute(Contender contender, String... statements) throws SQLException {
        try (Connection connection = contender.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.executeUpdate(sql);
            }
        }
    }

    private static String code(SQLException failure) {
        return failure instanceof SQLiteException sqlite
                ? sqlite.getResultCode().name()
                : failure.toString();
    }

    private static Contention sum(Contender contender, List<Tally> tallies, double seconds) throws SQLException {
        Map<String, Long> failures = new TreeMap<>();
        long committed = 0;
        long longest = 0;
        for (Tally tally : tallies) {
            committed += tally.committed;
            longest = Math.max(longest, tally.longest);
            tally.failures.forEach((code, number) -> failures.merge(code, number, Long::sum));
        }
        try (Connection connection = contender.dataSource().getConnection()) {
            return new Contention(
                    contender.name(),
                    contender.conflicts(),
                    committed,
                    failures,
                    Duration.ofNanos(longest),
                    seconds,
                    query(connection, "SELECT count(*) FROM entry"),
                    query(connection, "SELECT value FROM counter"));
        }
    }

    /** The counts of one writer. Confined to its thread. */
    private static final class Tally {
        private final Map<String, Long> failures = new TreeMap<>();
        private long committed;
        private long longest;
    }
}
