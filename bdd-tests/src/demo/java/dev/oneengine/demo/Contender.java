package dev.oneengine.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A way to run transactions of many threads on one empty database in memory. Thread-safe, except for closing. */
interface Contender extends AutoCloseable {
    /** The name of the contender. */
    String name();

    Conflicts conflicts();

    DataSource dataSource();

    /** Runs a transaction: commits all of it, or throws. */
    void transact(Action action) throws SQLException;

    @Override
    void close();

    /** Whether transactions of eight threads fail. */
    enum Conflicts {
        /** Always; possibly no transaction commits. */
        ALWAYS,
        /** Perhaps: the order of steps and the length of waits decide. */
        PERHAPS,
        /** Never, and all threads commit. */
        NEVER
    }

    /** The work of a transaction. */
    @FunctionalInterface
    interface Action {
        void run(Connection connection) throws SQLException;
    }

    /**
     * Plain JDBC on a pool.
     *
     * @param name the name
     * @param conflicts whether transactions fail
     * @param pool the source of connections
     */
    record Plain(String name, Conflicts conflicts, HikariDataSource pool) implements Contender {
        @Override
        public DataSource dataSource() {
            return pool;
        }

        @Override
        public void transact(Action action) throws SQLException {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                // Closing returns the connection to the pool, which rolls back uncommitted work.
                action.run(connection);
                connection.commit();
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Units of work of this library. */
    final class Library implements Contender {
        private final EngineCache cache = EngineCache.create();
        private final Engine engine;
        private final UnitOfWork work;

        Library(int poolSize) {
            engine = cache.engine(
                    Subject.URL, EngineSettings.builder().poolSize(poolSize).build());
            work = UnitOfWork.on(engine);
        }

        @Override
        public String name() {
            return "One Engine, UnitOfWork";
        }

        @Override
        public Conflicts conflicts() {
            return Conflicts.NEVER;
        }

        @Override
        public DataSource dataSource() {
            return engine.dataSource();
        }

        @Override
        public void transact(Action action) throws SQLException {
            work.run(tx -> action.run(tx.connection()));
        }

        @Override
        public void close() {
            cache.close();
        }
    }
}
