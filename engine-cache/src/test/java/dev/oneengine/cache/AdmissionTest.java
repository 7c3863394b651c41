package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.Waiting;
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
    void the_transactions_of_a_turn_wait_for_no_other(Database database) throws Exception {
        Engine engine = cache.engine(database.url(directory));
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        Admission turn = engine.enter(Access.WRITE, LONG);
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
            Admission turn = engine.enter(Access.WRITE, LONG);
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')");
                return true;
            });
            Waiting.awaitThat(thread);
            assertThatThrownBy(() -> engine.enter(Access.WRITE, LONG)).hasMessageContaining("for itself");
            assertThat(race.outcome(race.start(() -> engine.enter(Access.WRITE, Duration.ZERO)))
                            .failure())
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("has waited PT0S for its turn on " + engine.url());
            turn.close();
            assertThat(race.result(writer)).isTrue();
        }
    }

    /** The pool may be closed over a turn that is lent; the next user of the connection must not have it. */
    @Test
    void a_connection_that_is_returned_before_its_turn_has_it_no_longer() throws Exception {
        Engine engine = cache.engine(
                "sqlite:///:memory:", EngineSettings.builder().poolSize(1).build());
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        try (Race race = Race.withThreads(1)) {
            Admission turn = engine.enter(Access.WRITE, LONG);
            turn.connection().close();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> writer = race.start(() -> {
                thread.set(Thread.currentThread());
                Sql.execute(engine.dataSource(), "INSERT INTO item VALUES ('a')");
                return true;
            });
            Waiting.awaitThat(thread);
            turn.close();
            assertThat(race.result(writer)).isTrue();
        }
    }

    @Test
    void a_thread_in_its_turn_does_not_wait_for_the_pool() throws Exception {
        Engine engine = cache.engine(
                "jdbc:sqlite:" + directory.resolve("test.db"),
                EngineSettings.builder().poolSize(2).build());
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)");
        HikariDataSource pool = engine.dataSource().unwrap(HikariDataSource.class);
        try (Race race = Race.withThreads(2)) {
            Admission turn = engine.enter(Access.WRITE, LONG);
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
                Waiting.awaitThat(thread);
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
    void an_interrupt_ends_the_wait() throws Exception {
        Engine engine = cache.engine("sqlite:///:memory:");
        try (Race race = Race.withThreads(1);
                Admission turn = engine.enter(Access.WRITE, LONG)) {
            assertThat(turn).isNotNull();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> waiting = race.start(() -> {
                thread.set(Thread.currentThread());
                assertThatThrownBy(() -> engine.enter(Access.READ, LONG))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("Interrupted while waiting for a turn on " + engine.url());
                return Thread.interrupted();
            });
            Waiting.awaitThat(thread);
            thread.get().interrupt();
            assertThat(race.result(waiting)).isTrue();
        }
    }

    /** A caller's own connections do not queue by themselves, but all who ask the engine for a turn do. */
    @Test
    void the_queue_holds_with_connections_of_a_callers_factory() throws Exception {
        try (EngineCache own = EngineCache.create(new CountingFactory(), EngineSettings.defaults());
                Race race = Race.withThreads(1)) {
            for (String url : List.of("sqlite:///:memory:", "jdbc:sqlite:" + directory.resolve("own.db"))) {
                Engine engine = own.engine(url);
                try (Admission turn = engine.enter(Access.WRITE, LONG)) {
                    assertThat(turn).isNotNull();
                    assertThat(race.outcome(race.start(() -> engine.enter(Access.WRITE, Duration.ZERO)))
                                    .failure())
                            .isInstanceOf(SQLTimeoutException.class);
                }
            }
            Engine server = own.engine("postgresql://localhost/none");
            try (Admission first = server.enter(Access.WRITE, LONG);
                    Admission second = server.enter(Access.WRITE, Duration.ZERO)) {
                assertThat(first).isNotSameAs(second);
            }
        }
    }

    @Test
    void a_connection_that_is_closed_cannot_have_a_turn() throws Exception {
        Engine engine = cache.engine("sqlite:///:memory:");
        DataSource driver = engine.dataSource().unwrap(DriverSource.class);
        Connection connection = driver.getConnection();
        connection.close();
        try (Admission turn = engine.enter(Access.WRITE, LONG)) {
            assertThatThrownBy(() -> turn.lend(connection)).hasMessageContaining("was closed");
        }
        try (Admission again = engine.enter(Access.WRITE, Duration.ZERO)) {
            assertThat(again).isNotNull();
        }
    }
}
