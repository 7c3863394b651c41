package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.ProxyConnection;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Sql;
import java.io.StringReader;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgConnection;

/** The state of a connection after its user has returned it. */
@Timeout(60)
class EngineConnectionTest {
    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    private Engine engine(Database database) throws SQLException {
        EngineSettings one = EngineSettings.builder().poolSize(1).build();
        Engine engine = cache.engine(database.newUrl(directory), one);
        Sql.execute(engine.dataSource(), "CREATE TABLE t(n INTEGER)");
        return engine;
    }

    private static void assertThatTheNextConnectionIsClean(Engine engine) throws SQLException {
        try (Connection next = engine.dataSource().getConnection()) {
            assertThat(next.getAutoCommit()).isTrue();
            assertThat(next.isReadOnly()).isFalse();
            assertThat(Sql.query(next, "SELECT count(*) FROM t")).isEqualTo("0");
            Sql.execute(next, "INSERT INTO t VALUES (1)");
        }
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM t")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void the_pool_can_evict_an_unwrapped_connection(Database database) throws SQLException {
        Engine engine = engine(database);
        HikariDataSource pool = engine.dataSource().unwrap(HikariDataSource.class);
        Connection evicted;
        try (Connection connection = engine.dataSource().getConnection()) {
            Class<? extends Connection> type =
                    database == Database.POSTGRESQL ? PgConnection.class : SqliteConnection.class;
            evicted = connection.unwrap(type);

            pool.evictConnection(connection.unwrap(ProxyConnection.class));
        }

        await().untilAsserted(() -> assertThat(evicted.isClosed()).isTrue());
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_connection_with_an_unused_transaction_can_be_closed_after_its_engine(Database database) throws SQLException {
        Engine engine = engine(database);
        Connection connection = engine.dataSource().getConnection();
        connection.setAutoCommit(false);

        engine.close();
        connection.close();

        assertThat(connection.isClosed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_connection_with_a_committed_transaction_can_be_closed_after_its_engine(Database database)
            throws SQLException {
        Engine engine = engine(database);
        Connection connection = engine.dataSource().getConnection();
        connection.setAutoCommit(false);
        Sql.execute(connection, "INSERT INTO t VALUES (1)");
        connection.commit();

        engine.close();
        connection.close();

        assertThat(connection.isClosed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_read_only_transaction_with_only_a_savepoint_does_not_reach_the_next_user(Database database)
            throws SQLException {
        Engine engine = engine(database);
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.setSavepoint();
        }
        assertThatTheNextConnectionIsClean(engine);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_read_only_transaction_with_only_a_metadata_query_does_not_reach_the_next_user(Database database)
            throws SQLException {
        Engine engine = engine(database);
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.getMetaData().getTables(null, null, "t", null).close();
        }
        assertThatTheNextConnectionIsClean(engine);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_transaction_that_sql_began_does_not_reach_the_next_user(Database database) throws SQLException {
        Engine engine = engine(database);
        try (Connection connection = engine.dataSource().getConnection()) {
            Sql.execute(connection, "BEGIN", "INSERT INTO t VALUES (7)");
        }
        assertThatTheNextConnectionIsClean(engine);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failed_transaction_that_sql_began_does_not_reach_the_next_user(Database database) throws SQLException {
        Engine engine = engine(database);
        try (Connection connection = engine.dataSource().getConnection()) {
            Sql.execute(connection, "BEGIN", "INSERT INTO t VALUES (7)");
            assertThatThrownBy(() -> Sql.execute(connection, "INSERT INTO missing VALUES (7)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThatTheNextConnectionIsClean(engine);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void an_aborted_connection_is_closed_and_leaves_the_pool(Database database) throws SQLException {
        Engine engine = engine(database);
        Connection connection = engine.dataSource().getConnection();
        connection.setAutoCommit(false);
        Sql.execute(connection, "INSERT INTO t VALUES (7)");
        connection.commit();
        Sql.execute(connection, "DELETE FROM t");
        connection.commit();
        connection.setReadOnly(true);

        connection.abort(Runnable::run);

        assertThat(connection.isClosed()).isTrue();
        assertThatTheNextConnectionIsClean(engine);
        connection.close();
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM t")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void aborting_a_connection_again_does_not_end_the_next_one(Database database) throws SQLException {
        Engine engine = engine(database);
        Connection connection = engine.dataSource().getConnection();
        List<Runnable> late = new ArrayList<>();
        connection.abort(late::add);
        try (Connection next = engine.dataSource().getConnection()) {
            connection.abort(Runnable::run);
            connection.close();
            late.forEach(Runnable::run);
            connection.abort(Runnable::run);
            assertThat(Sql.query(next, "SELECT count(*) FROM t")).isEqualTo("0");
        }
    }

    @Test
    void returning_a_connection_does_not_commit_rows_copied_through_the_driver() throws Exception {
        Engine engine = engine(Database.POSTGRESQL);
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY t FROM STDIN", new StringReader("7\n"));
        }
        assertThatTheNextConnectionIsClean(engine);
    }

    @Test
    void closing_a_connection_ends_a_statement_running_in_another_thread() throws Exception {
        Engine engine = engine(Database.POSTGRESQL);
        Connection connection = engine.dataSource().getConnection();
        connection.setAutoCommit(false);
        Statement statement = connection.createStatement();
        FutureTask<Boolean> sleep = new FutureTask<>(() -> statement.execute("SELECT pg_sleep(3600)"));
        new Thread(sleep, "sleeper").start();
        Connection observer = DriverManager.getConnection(engine.url().jdbcUrl(), "postgres", "");
        try (observer) {
            String running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"
                    + " AND state = 'active'";
            await().until(() -> Sql.query(observer, running).equals("1"));
        }

        connection.close();

        assertThatThrownBy(sleep::get).hasCauseInstanceOf(SQLException.class);
        assertThatTheNextConnectionIsClean(engine);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_connection_may_be_closed_twice(Database database) throws SQLException {
        Engine engine = engine(database);
        Connection connection = engine.dataSource().getConnection();
        connection.setAutoCommit(false);
        connection.close();
        assertThatTheNextConnectionIsClean(engine);
        try (Connection next = engine.dataSource().getConnection()) {
            next.setAutoCommit(false);
            Sql.execute(next, "INSERT INTO t VALUES (2)");
            connection.close();
            next.commit();
        }
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM t")).isEqualTo("2");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void the_connection_of_the_metadata_is_the_engine_connection(Database database) throws SQLException {
        try (Connection connection = engine(database).dataSource().getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            assertThat(data.getConnection()).isSameAs(connection);
            assertThat(data.getDatabaseProductName()).isNotEmpty();
            assertThatThrownBy(() -> data.unwrap(Runnable.class)).isNotInstanceOf(UndeclaredThrowableException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_connection_equals_the_connection_of_its_statements(Database database) throws SQLException {
        Engine engine = engine(database);
        try (Connection connection = engine.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(connection).isEqualTo(statement.getConnection()).isEqualTo(connection);
            assertThat(connection)
                    .hasSameHashCodeAs(statement.getConnection())
                    .hasToString(statement.getConnection().toString());
            assertThat(connection).isNotEqualTo(engine);
        }
    }

    @Test
    void all_other_calls_are_forwarded_to_the_pooled_connection() throws Exception {
        List<List<Object>> calls = new ArrayList<>();
        List<@Nullable Object> results = new ArrayList<>();
        Connection pooled = Proxies.of(Connection.class, (self, method, arguments) -> {
            calls.add(Arrays.asList(method, arguments == null ? List.of() : List.of(arguments)));
            Object result = method.getReturnType() == void.class ? null : some(method.getReturnType());
            results.add(result);
            return result;
        });
        Connection connection = engineConnection(pooled, false);

        for (Method method : Connection.class.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())
                    && !List.of("close", "abort", "isClosed").contains(method.getName())) {
                Object[] arguments = Arrays.stream(method.getParameterTypes())
                        .map(EngineConnectionTest::some)
                        .toArray();
                Object result = method.invoke(connection, arguments);
                assertThat(calls).last().isEqualTo(Arrays.asList(method, List.of(arguments)));
                if (!method.getName().equals("getMetaData")) { // covered by another test
                    assertThat(result).as("%s", method).isEqualTo(results.get(results.size() - 1));
                }
            }
        }
        assertThat(calls).hasSizeGreaterThan(50);
    }

    @Test
    void false_results_of_the_pooled_connection_are_returned_unchanged() throws SQLException {
        Connection pooled = Proxies.of(Connection.class, (self, method, arguments) -> false);
        Connection connection = engineConnection(pooled, false);

        assertThat(connection.isClosed()).isFalse();
        assertThat(connection.isValid(1)).isFalse();
        assertThat(connection.isWrapperFor(Runnable.class)).isFalse();
    }

    /** The pool's own failure, such as a rollback that fails, reaches the user; see {@link EngineConnection#close}. */
    @Test
    void a_return_that_fails_is_reported_unless_the_engine_is_closed() {
        SQLException failure = new SQLException("no rollback");
        Connection pooled = Proxies.of(Connection.class, (self, method, arguments) -> {
            throw failure;
        });

        assertThatThrownBy(engineConnection(pooled, false)::close).isSameAs(failure);
        assertThatCode(engineConnection(pooled, true)::close).doesNotThrowAnyException();
    }

    private static Connection engineConnection(Connection pooled, boolean engineClosed) {
        return new EngineConnection(
                pooled, DatabaseUrl.parse("sqlite:///:memory:"), true, () -> engineClosed, connection -> {});
    }

    /** Returns a value that differs from defaults, so that a wrong argument is detected. */
    private static Object some(Class<?> type) {
        if (type == int.class) {
            return 42;
        } else if (type == boolean.class) {
            return true;
        } else if (type == String.class || type == Object.class) {
            return "some";
        } else if (type == Class.class) {
            return Runnable.class;
        } else if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 1);
        } else if (type == Properties.class) {
            return new Properties();
        } else if (type == SQLWarning.class) {
            return new SQLWarning("some");
        } else if (type == Map.class) {
            return Map.of("some", Runnable.class);
        }
        return Proxies.of(
                type,
                (self, method, arguments) -> method.getName().equals("equals")
                        ? Boolean.valueOf(self == arguments[0])
                        : method.getName().equals("hashCode") ? Integer.valueOf(1) : method.getName());
    }
}
