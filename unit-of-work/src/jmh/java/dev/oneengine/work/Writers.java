package dev.oneengine.work;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Eight writers of one database in memory, each with the same number of updates: how long all of it takes, and how long the one
 * update that waits longest. Plain JDBC and Spring run on an engine, and on a pool of the driver's own connections, where SQLite's
 * busy timeout does the waiting. A separate program, as JMH stops the clock while a writer still waits:
 * {@code java ... dev.oneengine.work.Writers}.
 */
public final class Writers {
    private static final int WRITERS = 8;
    private static final int UPDATES = 40_000;
    private static final int ROUNDS = 5;

    private Writers() {}

    /** Prints a line per round and way. */
    public static void main(String[] args) throws Exception {
        // With the timeout of five seconds that engines have, the driver's connections fail now and then.
        EngineSettings patient =
                EngineSettings.builder().busyTimeout(Duration.ofMinutes(5)).build();
        ExecutorService executor = Executors.newFixedThreadPool(WRITERS);
        try (EngineCache cache = EngineCache.create();
                HikariDataSource pool = pool()) {
            Engine engine = cache.engine("sqlite:///:memory:", patient);
            DataSource dataSource = engine.dataSource();
            UnitOfWork work = UnitOfWork.on(engine);
            UnitBenchmark.createAccount(pool);
            UnitBenchmark.createAccount(dataSource);
            for (int round = 1; round <= ROUNDS; round++) {
                measure("plain JDBC on the driver ", executor, () -> UnitBenchmark.updateInTransaction(pool));
                measure("plain JDBC on the engine ", executor, () -> UnitBenchmark.updateInTransaction(dataSource));
                measure("Spring on the driver     ", executor, spring(pool));
                measure("Spring on the engine     ", executor, spring(dataSource));
                measure(
                        "unit of work             ",
                        executor,
                        () -> work.<Integer, SQLException>call(tx -> UnitBenchmark.update(tx.connection())));
            }
        } finally {
            executor.shutdown();
        }
    }

    /** The driver's connections to a database of the same kind, set up in the same way. */
    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:file:/writers?vfs=memdb");
        config.addDataSourceProperty("transaction_mode", "IMMEDIATE");
        config.addDataSourceProperty("foreign_keys", "true");
        config.addDataSourceProperty("busy_timeout", "300000");
        config.setMaximumPoolSize(10);
        config.setMaxLifetime(0);
        config.setIdleTimeout(0);
        return new HikariDataSource(config);
    }

    private static Callable<Integer> spring(DataSource dataSource) {
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        JdbcTemplate template = new JdbcTemplate(dataSource);
        return () ->
                Objects.requireNonNull(transactions.execute(status -> template.update(UnitBenchmark.UPDATE, 1, 1)));
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
