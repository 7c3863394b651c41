package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * Eight writers of one database in memory, each with the same number of updates: how long all of it takes, and how long the one
 * update that waits longest. Beside units of work the same with plain JDBC, where SQLite's busy timeout does the waiting. A
 * program of its own, as JMH stops the clock while a writer still waits: {@code java ... dev.oneengine.work.Writers}.
 */
public final class Writers {
    private static final int WRITERS = 8;
    private static final int UPDATES = 40_000;
    private static final int ROUNDS = 5;

    private Writers() {}

    /** Prints a line per round and way. */
    public static void main(String[] args) throws Exception {
        // With the timeout of five seconds that engines have, plain JDBC fails now and then.
        EngineSettings patient =
                EngineSettings.builder().busyTimeout(Duration.ofMinutes(5)).build();
        ExecutorService executor = Executors.newFixedThreadPool(WRITERS);
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine("sqlite:///:memory:", patient);
            DataSource dataSource = engine.dataSource();
            UnitOfWork work = UnitOfWork.on(engine);
            UnitBenchmark.createAccount(dataSource);
            for (int round = 1; round <= ROUNDS; round++) {
                measure("plain JDBC  ", executor, () -> UnitBenchmark.updateInTransaction(dataSource));
                measure(
                        "unit of work",
                        executor,
                        () -> work.<Integer, SQLException>call(tx -> UnitBenchmark.update(tx.connection())));
            }
        } finally {
            executor.shutdown();
        }
    }

    private static void measure(String name, ExecutorService executor, Callable<Integer> update) throws Exception {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        List<Future<Long>> writers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(executor.submit(() -> {
                start.await();
                return worst(update);
            }));
        }
        long worst = 0;
        for (Future<Long> writer : writers) {
            worst = Math.max(worst, writer.get());
        }
        double milliseconds = (System.nanoTime() - begin) / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%s %7.1f updates/ms, worst %8.1f ms%n",
                name,
                WRITERS * UPDATES / milliseconds,
                worst / 1e6);
    }

    private static long worst(Callable<Integer> update) throws Exception {
        long worst = 0;
        for (int i = 0; i < UPDATES; i++) {
            long begin = System.nanoTime();
            update.call();
            worst = Math.max(worst, System.nanoTime() - begin);
        }
        return worst;
    }
}
