package dev.oneengine.acceptance;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.migration.MigratedTemplate;
import dev.oneengine.migration.Migration;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.Transaction;
import dev.oneengine.work.UnitOfWork;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** This library under test, as a service. Immutable and thread-safe. */
public final class OneEngine implements Implementation {
    @Override
    public CacheUnderTest cache(Creation creation) {
        EngineFactory factory = (url, settings) -> {
            creation.begins(url.toString());
            return EngineFactory.pooled().open(url, settings);
        };
        return new Cache(EngineCache.create(factory, EngineSettings.defaults()));
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    private record Cache(EngineCache cache) implements CacheUnderTest {
        @Override
        public EngineUnderTest engine(String url) {
            return new OneDatabase(cache.engine(url));
        }

        @Override
        public Identity identity() {
            return Identity.of(cache);
        }

        @Override
        public void evict(String url) {
            cache.evict(url);
        }

        @Override
        public WorkUnderTest work(String url) {
            return new Work(UnitOfWork.builder(url).cache(cache).build());
        }

        @Override
        public WorkUnderTest work(String url, Path scripts) {
            return new Work(UnitOfWork.builder(url)
                    .cache(cache)
                    .prepare(runner(url, scripts).preparation())
                    .build());
        }

        @Override
        public MigrationsUnderTest migrations(String url, Path scripts) {
            return new Migrations(runner(url, scripts));
        }

        private MigrationRunner runner(String url, Path scripts) {
            return MigrationRunner.on(url).cache(cache).locations("filesystem:" + scripts);
        }

        @Override
        public void close() {
            cache.close();
        }
    }

    private record OneDatabase(Engine engine) implements EngineUnderTest {
        @Override
        public Identity identity() {
            return Identity.of(engine);
        }

        @Override
        public ConnectionUnderTest connect() throws SQLException {
            return JdbcConnection.open(engine.dataSource());
        }

        @Override
        public void close() {
            engine.close();
        }

        @Override
        public boolean isClosed() {
            return engine.isClosed();
        }

        @Override
        public void closeIdleConnections() throws SQLException {
            PhysicalConnections.close(engine.dataSource().unwrap(HikariDataSource.class));
        }
    }

    private record Migrations(MigrationRunner runner) implements MigrationsUnderTest {
        @Override
        public Identity engine() {
            return Identity.of(runner.engine());
        }

        @Override
        public void migrate() {
            runner.migrate();
        }

        @Override
        public List<String> pending() {
            return runner.pending().stream().map(Migration::script).toList();
        }

        @Override
        public List<String> status() {
            return runner.status().stream().map(Migration::toString).toList();
        }

        @Override
        public List<EngineUnderTest> forks(int number) {
            try (MigratedTemplate template = MigratedTemplate.of(runner)) {
                return Stream.generate(template::fork)
                        .limit(number)
                        .<EngineUnderTest>map(OneDatabase::new)
                        .toList();
            }
        }
    }

    private record Work(UnitOfWork work) implements WorkUnderTest {
        @Override
        public Identity engine() {
            return Identity.of(work.engine());
        }

        @Override
        public void run(Body body) throws Exception {
            work.run(tx -> body.run(new Tx(tx)));
        }

        @Override
        public void read(Body body) throws Exception {
            work.<Boolean, Exception>read(tx -> {
                body.run(new Tx(tx));
                return true;
            });
        }

        @Override
        public ByHand begin() {
            return new TxByHand(work.begin());
        }
    }

    private record Tx(Transaction tx) implements TransactionUnderTest {
        @Override
        public ConnectionUnderTest connection() {
            return JdbcConnection.of(tx.connection());
        }

        @Override
        public void nested(WorkUnderTest.Body body) throws Exception {
            tx.nested(inner -> body.run(new Tx(inner)));
        }

        @Override
        public void afterCommit(Runnable hook) {
            tx.afterCommit(hook);
        }

        @Override
        public void afterRollback(Runnable hook) {
            tx.afterRollback(hook);
        }

        @Override
        public <T> T repository(Class<T> type, Function<ConnectionUnderTest, T> factory) {
            return tx.repository(type, connection -> factory.apply(JdbcConnection.of(connection)));
        }
    }

    private record TxByHand(Transaction tx) implements WorkUnderTest.ByHand {
        @Override
        public ConnectionUnderTest connection() {
            return JdbcConnection.of(tx.connection());
        }

        @Override
        public void commit() {
            tx.commit();
        }

        @Override
        public void close() {
            tx.close();
        }
    }
}
