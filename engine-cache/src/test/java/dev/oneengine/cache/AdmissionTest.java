package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import dev.oneengine.testing.ThreadStates;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class AdmissionTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void transactions_within_a_turn_do_not_wait_in_the_queue(Database database) throws Exception {
        Engine engine = cache.engine(database.url(directory));
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        Admission turn = engine.enter(AccessMode.WRITE, LONG);
        try (Connection connection = turn.connection()) {
            for (int i = 0; i < 3; i++) {
                connection.setAutoCommit(i % 2 == 0);
                Sql.execute(connection, "INSERT INTO item VALUES ('a')");
                if (i % 2 != 0) {
                    connection.commit();
                }
            }
            connection.setAutoCommit(true);
            turn.close();
            turn.close();
            Sql.execute(connection, "INSERT INTO item VALUES ('a')");
        }
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM item")).isEqualTo("4");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"MEMORY", "FILE"},
            value = Database.class)
    void a_turn_excludes_other_writers_until_it_is_closed(Database database) throws Exception {
        Engine engine = cache.engine(database.url(directory));
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        try (Race race = Race.withThreads(2)) {
            Admission turn = engine.enter(AccessMode.WRITE, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')");
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            assertThatThrownBy(() -> engine.enter(AccessMode.WRITE, LONG)).hasMessageContaining("for itself");
            assertThat(race.outcome(race.start(() -> engine.enter(AccessMode.WRITE, Duration.ZERO)))
                            .failure())
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("has waited PT0S for its turn on " + engine.url());
            turn.close();
            assertThat(race.result(writer)).isTrue();
        }
    }

    /**
     * The user may return a connection before its lent turn ends; the next user of the connection must not get that
     * turn.
     */
    @Test
    void a_connection_returned_before_its_turn_ends_loses_the_turn() throws Exception {
        Engine engine = cache.engine(
                "sqlite:///:memory:", EngineSettings.builder().poolSize(1).build());
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        try (Race race = Race.withThreads(1)) {
            Admission turn = engine.enter(AccessMode.WRITE, LONG);
            turn.connection().close();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')");
                return true;
            });
            ThreadStates.awaitTimedWait(thread);
            turn.close();
            assertThat(race.result(writer)).isTrue();
        }
    }

    @Test
    void a_thread_with_a_turn_gets_a_connection_although_the_pool_is_exhausted() throws Exception {
        Engine engine = cache.engine(
                "jdbc:sqlite:" + directory.resolve("test.db"),
                EngineSettings.builder().poolSize(2).build());
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        HikariDataSource pool = engine.dataSource().unwrap(HikariDataSource.class);
        try (Race race = Race.withThreads(2)) {
            Admission turn = engine.enter(AccessMode.WRITE, LONG);
            List<Future<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                AtomicReference<Thread> thread = new AtomicReference<>();
                writers.add(race.start(() -> {
                    try (Connection connection = engine.dataSource().getConnection()) {
                        thread.set(Thread.currentThread());
                        Sql.execute(connection, "INSERT INTO item VALUES ('a')");
                    }
                    return true;
                }));
                ThreadStates.awaitTimedWait(thread);
            }
            try (Connection beside = turn.connection()) {
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
                Sql.execute(beside, "INSERT INTO item VALUES ('b')");
            }
            turn.close();
            writers.forEach(race::result);
        }
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM item")).isEqualTo("3");
    }

    @Test
    void an_interrupt_ends_the_wait_for_a_turn() throws Exception {
        Engine engine = cache.engine("sqlite:///:memory:");
        try (Race race = Race.withThreads(1);
                Admission turn = engine.enter(AccessMode.WRITE, LONG)) {
            assertThat(turn).isNotNull();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> engine.enter(AccessMode.READ, LONG))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Interrupted while waiting for a turn on " + engine.url());
                return Thread.interrupted();
            });
            ThreadStates.awaitTimedWait(thread);
            thread.get().interrupt();
            assertThat(race.result(waiting)).isTrue();
        }
    }

    /** The connections of a caller's own factory do not queue, but all callers of {@code enter} do. */
    @Test
    void writers_with_a_custom_factory_also_queue() throws Exception {
        try (EngineCache own = EngineCache.create(new CountingFactory(), EngineSettings.defaults());
                Race race = Race.withThreads(1)) {
            for (String url : List.of("sqlite:///:memory:", "jdbc:sqlite:" + directory.resolve("own.db"))) {
                Engine engine = own.engine(url);
                try (Admission turn = engine.enter(AccessMode.WRITE, LONG)) {
                    assertThat(turn).isNotNull();
                    assertThat(race.outcome(race.start(() -> engine.enter(AccessMode.WRITE, Duration.ZERO)))
                                    .failure())
                            .isInstanceOf(SQLTimeoutException.class);
                }
            }
            Engine server = own.engine("postgresql://localhost/none");
            try (Admission first = server.enter(AccessMode.WRITE, LONG);
                    Admission second = server.enter(AccessMode.WRITE, Duration.ZERO)) {
                assertThat(first).isNotSameAs(second);
            }
        }
    }

    @Test
    void readers_of_a_file_need_no_turn() throws Exception {
        Engine engine = cache.engine("jdbc:sqlite:" + directory.resolve("test.db"));
        try (Admission writer = engine.enter(AccessMode.WRITE, LONG);
                Admission reader = engine.enter(AccessMode.READ, Duration.ZERO);
                Connection connection = reader.connection()) {
            assertThat(writer).isNotNull();
            assertThat(Sql.query(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void the_connections_of_a_custom_factory_come_from_its_pool() throws Exception {
        try (EngineCache own = EngineCache.create(new CountingFactory(), EngineSettings.defaults())) {
            Engine engine = own.engine("sqlite:///:memory:");
            try (Admission turn = engine.enter(AccessMode.WRITE, LONG);
                    Connection connection = turn.connection()) {
                assertThat(Sql.query(connection, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    /** A pool that hides its driver's connections, and connections whose methods fail. */
    @Test
    void a_turn_works_with_a_pool_that_hides_its_driver_connections() throws Exception {
        AtomicReference<String> failing = new AtomicReference<>("isWrapperFor of the data source");
        EngineFactory hiding = (url, settings) -> {
            EngineSource source = EngineFactory.pooled().open(url, settings);
            return new TestSource(hide(DataSource.class, source.dataSource(), failing), source);
        };
        try (EngineCache own = EngineCache.create(hiding, EngineSettings.defaults())) {
            Engine hidden = own.engine("jdbc:sqlite:file:hidden?mode=memory");
            try (Admission turn = hidden.enter(AccessMode.WRITE, LONG)) {
                assertThat(turn).isNotNull();
            }
            failing.set("unwrap of the connection");
            Engine broken = own.engine("jdbc:sqlite:file:broken?mode=memory");
            try (Admission turn = broken.enter(AccessMode.WRITE, LONG)) {
                assertThatThrownBy(turn::connection).hasMessage("unwrap of the connection");
            }
            HikariDataSource pool = broken.dataSource().unwrap(HikariDataSource.class);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            assertThatThrownBy(() -> broken.dataSource().getConnection()).isInstanceOf(SQLException.class);
            failing.set("nothing");
            Sql.execute(broken.dataSource(), "CREATE TABLE item(name TEXT)");
        }
    }

    private static <T> T hide(Class<T> type, Object target, AtomicReference<String> failing) {
        String name = type == DataSource.class ? " of the data source" : " of the connection";
        return Proxies.of(type, (self, method, args) -> {
            if (failing.get().equals(method.getName() + name)) {
                throw new SQLException(failing.get());
            }
            Object result = method.invoke(target, args);
            return result instanceof Connection && type == DataSource.class
                    ? hide(Connection.class, result, failing)
                    : result;
        });
    }

    @Test
    void a_closed_connection_cannot_have_a_turn() throws Exception {
        Engine engine = cache.engine("sqlite:///:memory:");
        DataSource driver = engine.dataSource().unwrap(DriverDataSource.class);
        Connection connection = driver.getConnection();
        connection.close();
        try (Admission turn = engine.enter(AccessMode.WRITE, LONG)) {
            assertThatThrownBy(() -> turn.lend(connection)).hasMessageContaining("was closed");
        }
        try (Admission again = engine.enter(AccessMode.WRITE, Duration.ZERO)) {
            assertThat(again).isNotNull();
        }
    }
}
