package dev.oneengine.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A way to run transactions of many threads on one empty database in memory. Thread-safe but for closing. */
interface Contender extends AutoCloseable {
    /** What it is, in a few words. */
    String name();

    Conflicts conflicts();

    DataSource dataSource();

    /** Runs a transaction: all of it is committed, or this throws. */
    void transact(Action action) throws SQLException;

    @Override
    void close();

    /** Whether transactions of eight threads fail. */
    enum Conflicts {
        /** However they meet; it may even be that none is committed. */
        ALWAYS,
        /** It depends on how they meet, and on how long one of them has to wait. */
        PERHAPS,
        /** However they meet, and all of them get on. */
        NEVER
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Action {
        void run(Connection connection) throws SQLException;
    }

    /**
     * A pool and plain JDBC, as anybody would write it.
     *
     * @param name what it is
     * @param conflicts whether transactions fail
     * @param pool where the connections come from
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
                // Closing gives the connection back to the pool, which rolls back what is not committed.
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
