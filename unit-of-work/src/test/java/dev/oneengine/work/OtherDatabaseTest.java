package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.H2;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Units of work on H2 with a custom engine factory. The library has no special support for H2. */
@Timeout(60)
class OtherDatabaseTest {
    private final EngineCache cache = H2.cache();
    private final Engine engine = cache.engine(H2.newUrl());
    private final UnitOfWork work = UnitOfWork.on(engine);

    @BeforeEach
    void create() throws SQLException {
        Sql.execute(
                engine.dataSource(),
                "CREATE TABLE plan(id INT PRIMARY KEY, name VARCHAR(20))",
                "INSERT INTO plan VALUES (1, 'one'), (2, 'two')");
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private String names() throws SQLException {
        return Sql.query(engine.dataSource(), "SELECT LISTAGG(name, ' ') WITHIN GROUP (ORDER BY id) FROM plan");
    }

    @Test
    void a_unit_commits_or_rolls_back_as_a_whole() throws SQLException {
        List<String> hooks = new ArrayList<>();
        work.run(tx -> {
            tx.afterCommit(() -> hooks.add("committed"));
            Sql.execute(tx.connection(), "INSERT INTO plan VALUES (3, 'three')");
            tx.nested(inner -> {
                Sql.execute(inner.connection(), "INSERT INTO plan VALUES (4, 'four')");
                inner.setRollbackOnly();
            });
        });
        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterRollback(() -> hooks.add("rolled back"));
                    Sql.execute(tx.connection(), "INSERT INTO plan VALUES (5, 'five')");
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(names()).isEqualTo("one two three");
        assertThat(hooks).containsExactly("committed", "rolled back");
    }

    /** HikariCP would restore the isolation; H2's own pool does not. */
    @Test
    void a_unit_restores_the_isolation_of_a_connection() throws SQLException {
        JdbcConnectionPool pool = JdbcConnectionPool.create(H2.newUrl(), "", "");
        pool.setMaxConnections(1);
        try (EngineCache caches =
                EngineCache.create((url, settings) -> new TestSource(pool, pool::dispose), EngineSettings.defaults())) {
            UnitOfWork serializable = UnitOfWork.builder("jdbc:h2:mem:pooled")
                    .cache(caches)
                    .isolation(Isolation.SERIALIZABLE)
                    .build();
            int during = serializable.call(tx -> tx.connection().getTransactionIsolation());
            assertThat(during).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            }
        }
    }

    @Test
    void a_unit_commits_before_it_restores_the_connection() throws SQLException {
        OneConnection source = new OneConnection(DriverManager.getConnection(H2.newUrl()));
        try (EngineCache caches = EngineCache.create((url, settings) -> source, EngineSettings.defaults())) {
            UnitOfWork own =
                    UnitOfWork.builder("jdbc:h2:mem:reused").cache(caches).build();

            own.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE plan(id INT)"));
            assertThat(source.calls)
                    .containsExactly(
                            "setTransactionIsolation " + Connection.TRANSACTION_SERIALIZABLE,
                            "setAutoCommit false",
                            "commit",
                            "setAutoCommit true",
                            "setTransactionIsolation " + Connection.TRANSACTION_READ_COMMITTED);

            source.calls.clear();
            own.read(tx -> 1);
            assertThat(source.calls)
                    .containsExactly(
                            "setReadOnly true",
                            "setTransactionIsolation " + Connection.TRANSACTION_SERIALIZABLE,
                            "setAutoCommit false",
                            "rollback",
                            "setAutoCommit true",
                            "setReadOnly false",
                            "setTransactionIsolation " + Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Test
    void a_failed_commit_is_reported() throws SQLException {
        OneConnection source = new OneConnection(DriverManager.getConnection(H2.newUrl()));
        source.failCommits(new SQLException("disk full"));
        List<String> hooks = new ArrayList<>();
        try (EngineCache caches = EngineCache.create((url, settings) -> source, EngineSettings.defaults())) {
            UnitOfWork own =
                    UnitOfWork.builder("jdbc:h2:mem:full").cache(caches).build();
            assertThatThrownBy(() -> own.run(tx -> tx.afterCommit(() -> hooks.add("committed"))))
                    .isInstanceOf(TransactionException.class)
                    .hasMessageContaining("which was rolled back: disk full");
        }
        assertThat(hooks).isEmpty();
    }

    @Test
    void a_failed_statement_does_not_change_the_transaction() throws SQLException {
        work.run(tx -> {
            Sql.execute(tx.connection(), "INSERT INTO plan VALUES (3, 'three')");
            assertThatThrownBy(() -> Sql.execute(tx.connection(), "INSERT INTO plan VALUES (3, 'again')"))
                    .isInstanceOf(SQLException.class);
        });
        assertThat(names()).isEqualTo("one two three");
    }

    @Test
    void participants_cannot_end_the_transaction() {
        assertThatThrownBy(() -> work.run(tx -> Sql.execute(tx.connection(), "COMMIT")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("the unit of work on " + engine.url());
        assertThatThrownBy(() -> work.run(tx -> tx.connection().commit())).isInstanceOf(SQLException.class);
    }

    @Test
    void writes_of_a_read_only_unit_are_rolled_back() throws SQLException {
        String read = work.read(tx -> {
            Sql.execute(tx.connection(), "INSERT INTO plan VALUES (3, 'three')");
            return Sql.query(tx.connection(), "SELECT COUNT(*) FROM plan");
        });
        assertThat(read).isEqualTo("3");
        assertThat(names()).isEqualTo("one two");

        work.run(tx -> {
            Sql.execute(tx.connection(), "INSERT INTO plan VALUES (4, 'four')");
            work.read(inner -> {
                Sql.execute(inner.connection(), "INSERT INTO plan VALUES (5, 'five')");
                return Sql.query(inner.connection(), "SELECT COUNT(*) FROM plan");
            });
            Sql.execute(tx.connection(), "INSERT INTO plan VALUES (6, 'six')");
        });
        assertThat(names()).isEqualTo("one two four six");
    }

    @Test
    void the_isolation_of_a_unit_does_not_outlive_the_unit() throws SQLException {
        String ofSession = "SELECT ISOLATION_LEVEL FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID()";
        for (Isolation isolation : Isolation.values()) {
            UnitOfWork own = UnitOfWork.builder(engine).isolation(isolation).build();
            String inUnit = own.call(tx -> Sql.query(tx.connection(), ofSession));
            assertThat(inUnit).isEqualTo(isolation.name().replace('_', ' '));
            assertThat(Sql.query(engine.dataSource(), ofSession)).isEqualTo("READ COMMITTED");
        }
    }

    /** Two units wait for each other's row; the database rolls one of them back with SQL state 40001. */
    @Test
    void a_conflict_is_retried() throws SQLException {
        UnitOfWork readCommitted =
                UnitOfWork.builder(engine).isolation(Isolation.READ_COMMITTED).build();
        CyclicBarrier both = new CyclicBarrier(2);
        AtomicInteger attempts = new AtomicInteger();

        Race.run(2, i -> {
            AtomicInteger mine = new AtomicInteger();
            readCommitted.run(tx -> {
                attempts.incrementAndGet();
                change(tx.connection(), 1 + i);
                if (mine.incrementAndGet() == 1) {
                    both.await(30, TimeUnit.SECONDS);
                }
                change(tx.connection(), 2 - i);
            });
            return i;
        });

        assertThat(attempts).as("two runs plus one for each retry").hasValueGreaterThan(2);
        assertThat(names()).isEqualTo("one++ two++");
    }

    private static void change(Connection connection, int id) throws SQLException {
        Sql.execute(connection, "UPDATE plan SET name = name || '+' WHERE id = " + id);
    }
}
