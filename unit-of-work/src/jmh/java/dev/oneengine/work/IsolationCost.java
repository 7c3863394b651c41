package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * The cost of setting the isolation within each transaction, on a PostgreSQL server of this machine. Compares two ways with
 * plain JDBC on sessions that are serialisable by default. All ways take turns within each round, and the median of the
 * rounds' ratios counts, so that a noisy machine distorts no way more than another:
 * {@code java ... dev.oneengine.work.IsolationCost}.
 */
public final class IsolationCost {
    private static final int ROUNDS = 101;
    private static final int TRANSACTIONS = 200;
    private static final int WARM_UP_ROUNDS = 20;

    private final DataSource dataSource;
    private final UnitOfWork work;
    private final int updates;

    private IsolationCost(Engine engine, int updates) {
        this.dataSource = engine.dataSource();
        this.work = UnitOfWork.on(engine);
        this.updates = updates;
    }

    /** One transaction. */
    @FunctionalInterface
    private interface Way {
        int run() throws SQLException;
    }

    /** Prints a line per way and number of statements. */
    public static void main(String[] args) throws Exception {
        EngineSettings serialisable =
                EngineSettings.builder().isolation(Isolation.SERIALIZABLE).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                EngineCache cache = EngineCache.create(EngineFactory.pooled(), serialisable)) {
            Engine engine = cache.engine("postgresql://postgres@localhost:" + server.getPort() + "/postgres");
            UnitBenchmark.createAccount(engine.dataSource());
            for (int updates : new int[] {1, 5}) {
                new IsolationCost(engine, updates).measure();
            }
        }
    }

    private void measure() throws SQLException {
        Way[] ways = {() -> plainJdbc(false), () -> plainJdbc(true), () -> work.call(tx -> update(tx.connection()))};
        String[] names = {"plain JDBC", "plain JDBC with SET", "UnitOfWork.call"};
        double[][] micros = new double[ways.length][ROUNDS];
        double[][] ratios = new double[ways.length][ROUNDS];
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            for (int way = 0; way < ways.length; way++) {
                double time = microsOf(ways[way]);
                if (round >= 0) {
                    micros[way][round] = time;
                    ratios[way][round] = time / micros[0][round];
                }
            }
        }
        for (int way = 0; way < ways.length; way++) {
            System.out.printf(
                    Locale.ROOT,
                    "%d updates, %-20s %6.0f us, %.2f times plain JDBC%n",
                    updates,
                    names[way],
                    median(micros[way]),
                    median(ratios[way]));
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double microsOf(Way way) throws SQLException {
        long begin = System.nanoTime();
        for (int i = 0; i < TRANSACTIONS; i++) {
            way.run();
        }
        return (System.nanoTime() - begin) / 1e3 / TRANSACTIONS;
    }

    private int update(Connection connection) throws SQLException {
        int updated = 0;
        for (int i = 0; i < updates; i++) {
            updated += UnitBenchmark.update(connection);
        }
        return updated;
    }

    private int plainJdbc(boolean setIsolation) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                if (setIsolation) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
                    }
                }
                int updated = update(connection);
                connection.commit();
                return updated;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }
}
