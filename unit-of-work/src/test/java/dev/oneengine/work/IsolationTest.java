package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The isolation of units of work and of plain transactions on PostgreSQL. */
@Timeout(60)
class IsolationTest {
    private static final String CURRENT = "SHOW transaction_isolation";

    /** The source of the default is "session" once a command has set it, even to the same value. */
    private static final String DEFAULT =
            "SELECT setting || ' from ' || source FROM pg_settings WHERE name = 'default_transaction_isolation'";

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    private Engine engine(EngineSettings.Builder settings) throws SQLException {
        return cache.engine(Database.POSTGRESQL.url(directory), settings.build());
    }

    /** Independent units need a second connection. */
    private Engine engine() throws SQLException {
        return engine(EngineSettings.builder().poolSize(2));
    }

    private static UnitOfWork work(Engine engine, Isolation isolation) {
        return UnitOfWork.builder(engine).isolation(isolation).build();
    }

    private static List<String> inAllKindsOfUnits(UnitOfWork work) throws SQLException {
        List<String> seen = new ArrayList<>();
        work.run(tx -> {
            seen.add(Sql.query(tx.connection(), CURRENT));
            work.run(joined -> seen.add(Sql.query(joined.connection(), CURRENT)));
            tx.nested(nested -> seen.add(Sql.query(nested.connection(), CURRENT)));
            tx.independent(own -> seen.add(Sql.query(own.connection(), CURRENT)));
        });
        work.read(tx -> seen.add(Sql.query(tx.connection(), CURRENT)));
        try (Transaction tx = work.begin()) {
            seen.add(Sql.query(tx.connection(), CURRENT));
            tx.commit();
        }
        return seen;
    }

    @Test
    void units_are_serialisable_by_default() throws SQLException {
        assertThat(inAllKindsOfUnits(UnitOfWork.on(engine()))).hasSize(6).containsOnly("serializable");
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void all_units_have_the_configured_isolation(Isolation isolation) throws SQLException {
        assertThat(inAllKindsOfUnits(work(engine(), isolation)))
                .hasSize(6)
                .containsOnly(isolation.name().replace('_', ' ').toLowerCase(Locale.ROOT));
    }

    /** The server, the URL and the engine's settings can change the default of a session. */
    @Test
    void the_default_isolation_of_the_session_does_not_affect_units() throws SQLException {
        UnitOfWork onStrictEngine =
                work(engine(EngineSettings.builder().isolation(Isolation.SERIALIZABLE)), Isolation.READ_COMMITTED);
        assertThat(inAllKindsOfUnits(onStrictEngine)).containsOnly("read committed");

        String strictUrl =
                Database.POSTGRESQL.newUrl(directory) + "?options=-c%20default_transaction_isolation%3Dserializable";
        assertThat(inAllKindsOfUnits(work(cache.engine(strictUrl), Isolation.READ_COMMITTED)))
                .containsOnly("read committed");
    }

    @Test
    void units_leave_the_session_settings_unchanged() throws SQLException {
        Engine engine = engine(EngineSettings.builder().poolSize(1));
        String backend = Sql.query(engine.dataSource(), "SELECT pg_backend_pid()");
        for (Isolation isolation : Isolation.values()) {
            work(engine, isolation).run(tx -> Sql.query(tx.connection(), "SELECT 1"));
            work(engine, isolation).read(tx -> Sql.query(tx.connection(), "SELECT 1"));
            work(engine, isolation).run(tx -> {});
            work(engine, isolation).run(Transaction::setRollbackOnly);
        }
        try (Connection connection = engine.dataSource().getConnection()) {
            assertThat(Sql.query(connection, "SELECT pg_backend_pid()")).isEqualTo(backend);
            assertThat(Sql.query(connection, DEFAULT)).isEqualTo("read committed from default");
            connection.setAutoCommit(false);
            assertThat(Sql.query(connection, CURRENT)).isEqualTo("read committed");
            connection.rollback();
        }
    }

    @Test
    void a_joined_call_has_the_isolation_of_the_open_unit() throws SQLException {
        Engine engine = engine();
        work(engine, Isolation.READ_COMMITTED).run(tx -> {
            assertThat(UnitOfWork.on(engine)
                            .<String, SQLException>call(joined -> Sql.query(joined.connection(), CURRENT)))
                    .isEqualTo("read committed");
        });
    }

    @Test
    void a_read_only_unit_stays_read_only_at_every_isolation() throws SQLException {
        Engine engine = engine();
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
        for (Isolation isolation : Isolation.values()) {
            assertThatThrownBy(() -> work(engine, isolation).read(tx -> {
                        Items.insert(tx, "a");
                        return 1;
                    }))
                    .hasMessageContaining("read-only transaction");
        }
    }

    /** Depending on this parameter, the driver's own read-only mode changes the session or sends nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"transaction", "always", "ignore"})
    void a_read_only_unit_rejects_writes_and_leaves_the_session_unchanged_in_any_read_only_mode(String mode)
            throws SQLException {
        Engine engine = cache.engine(
                Database.POSTGRESQL.newUrl(directory) + "?readOnlyMode=" + mode,
                EngineSettings.builder().poolSize(1).build());
        UnitOfWork work = UnitOfWork.on(engine);
        assertThatThrownBy(() -> work.read(tx -> {
                    Sql.execute(tx.connection(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
                    return 1;
                }))
                .hasMessageContaining("read-only transaction");
        assertThat(Sql.query(
                        engine.dataSource(),
                        "SELECT setting || ' from ' || source FROM pg_settings"
                                + " WHERE name = 'default_transaction_read_only'"))
                .isEqualTo("off from default");
        work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE item(name TEXT PRIMARY KEY)"));
    }

    @Test
    void a_null_isolation_is_rejected() {
        UnitOfWork.Builder builder = UnitOfWork.builder("sqlite:///:memory:");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.isolation(null))
                .withMessage("The isolation of a unit of work must not be null; SERIALIZABLE is the default");
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "FILE"})
    void the_isolation_has_no_effect_on_sqlite(Database database) throws SQLException {
        String url = database.url(directory);
        try (EngineCache own = Items.cacheWithTable(url)) {
            Engine engine = own.engine(url);
            for (Isolation isolation : Isolation.values()) {
                work(engine, isolation).run(tx -> Items.insert(tx, isolation.name()));
                assertThat(work(engine, isolation).<List<String>, SQLException>read(tx -> Items.in(tx.connection())))
                        .contains(isolation.name());
            }
        }
    }

    /** A transaction in which a doctor goes off duty if both doctors are on duty. */
    @FunctionalInterface
    private interface Shift {
        void end(int doctor, CyclicBarrier bothHaveRead) throws Exception;
    }

    /** Runs a shift for two doctors at once and returns how many are still on duty; 0 is write skew. */
    private static String onDutyAfter(Engine engine, Shift shift) throws Exception {
        Sql.execute(
                engine.dataSource(),
                "CREATE TABLE doctor(id INTEGER PRIMARY KEY, on_duty INTEGER NOT NULL)",
                "INSERT INTO doctor VALUES (0, 1), (1, 1)");
        CyclicBarrier bothHaveRead = new CyclicBarrier(2);
        Race.run(2, i -> {
            shift.end(i, bothHaveRead);
            return i;
        });
        return Sql.query(engine.dataSource(), "SELECT count(*) FROM doctor WHERE on_duty = 1");
    }

    private static void goOffDutyIfBothAreOn(Connection connection, int doctor, CyclicBarrier bothHaveRead)
            throws Exception {
        String onDuty = Sql.query(connection, "SELECT count(*) FROM doctor WHERE on_duty = 1");
        bothHaveRead.await(60, TimeUnit.SECONDS);
        if (onDuty.equals("2")) {
            Sql.execute(connection, "UPDATE doctor SET on_duty = 0 WHERE id = " + doctor);
        }
    }

    /** Plain transactions have no retry, so a serialisation failure would reach their users. */
    @Test
    void plain_transactions_are_read_committed_and_have_write_skew() throws Exception {
        Engine engine = engine();
        UnitOfWork.on(engine).run(tx -> {}); // sets the isolation of the connection, and restores it afterwards

        assertThat(onDutyAfter(engine, (doctor, bothHaveRead) -> {
                    try (Connection connection = engine.dataSource().getConnection()) {
                        connection.setAutoCommit(false);
                        assertThat(Sql.query(connection, CURRENT)).isEqualTo("read committed");
                        goOffDutyIfBothAreOn(connection, doctor, bothHaveRead);
                        connection.commit();
                    }
                }))
                .isEqualTo("0");
    }

    @Test
    void units_below_serialisable_have_write_skew() throws Exception {
        Engine engine = engine();
        UnitOfWork work = work(engine, Isolation.REPEATABLE_READ);

        assertThat(onDutyAfter(
                        engine,
                        (doctor, bothHaveRead) ->
                                work.run(tx -> goOffDutyIfBothAreOn(tx.connection(), doctor, bothHaveRead))))
                .isEqualTo("0");
    }

    @Test
    void serialisable_units_have_no_write_skew_on_any_engine() throws Exception {
        Engine engine = engine(EngineSettings.builder().isolation(Isolation.READ_COMMITTED));
        UnitOfWork work = UnitOfWork.on(engine);
        AtomicInteger runs = new AtomicInteger();

        assertThat(onDutyAfter(
                        engine,
                        (doctor, bothHaveRead) -> work.run(tx -> goOffDutyIfBothAreOn(
                                tx.connection(),
                                doctor,
                                runs.incrementAndGet() <= 2 ? bothHaveRead : new CyclicBarrier(1)))))
                .isEqualTo("1");
        assertThat(runs).as("one of the two units had a conflict").hasValue(3);
    }

    @Test
    void independent_units_are_serialisable_if_the_outer_unit_is() throws Exception {
        Engine engine = engine(EngineSettings.builder().poolSize(4));
        UnitOfWork work = UnitOfWork.on(engine);
        AtomicInteger runs = new AtomicInteger();

        assertThat(onDutyAfter(
                        engine,
                        (doctor, bothHaveRead) -> work.run(tx -> tx.independent(own -> goOffDutyIfBothAreOn(
                                own.connection(),
                                doctor,
                                runs.incrementAndGet() <= 2 ? bothHaveRead : new CyclicBarrier(1))))))
                .isEqualTo("1");
        assertThat(runs).hasValue(3);
    }
}
