package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

@Timeout(60)
class RetryTest {
    private static final RetryPolicy QUICK =
            new RetryPolicy(5, Duration.ofNanos(1), Duration.ofMillis(1), Duration.ofMinutes(1));

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    private UnitOfWork work(RetryPolicy retry) {
        return UnitOfWork.builder("sqlite:///:memory:")
                .cache(cache)
                .retry(retry)
                .build();
    }

    static Stream<Exception> conflicts() {
        SQLException batch = new BatchUpdateException();
        batch.setNextException(new SQLException("first in the batch", "23505"));
        batch.setNextException(new SQLException("second in the batch", "40001"));
        return Stream.of(
                new SQLException("serialisation failure", "40001"),
                new SQLException("deadlock", "40P01"),
                new SQLiteException("busy", SQLiteErrorCode.SQLITE_BUSY),
                new SQLiteException("busy", SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT),
                new SQLiteException("busy", SQLiteErrorCode.SQLITE_BUSY_RECOVERY),
                new SQLiteException("locked", SQLiteErrorCode.SQLITE_LOCKED),
                new SQLiteException("locked", SQLiteErrorCode.SQLITE_LOCKED_SHAREDCACHE),
                new IllegalStateException("of a tool", new RuntimeException(new SQLException("deadlock", "40P01"))),
                batch);
    }

    @ParameterizedTest
    @MethodSource("conflicts")
    void a_conflict_is_retried(Exception conflict) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<String> events = new ArrayList<>();

        String result = work(QUICK).call(tx -> {
            int run = runs.incrementAndGet();
            tx.afterCommit(() -> events.add("committed " + run));
            tx.afterRollback(() -> events.add("rolled back " + run));
            if (run < 3) {
                throw conflict;
            }
            return "result of " + run;
        });

        assertThat(result).isEqualTo("result of 3");
        assertThat(events).containsExactly("committed 3");
    }

    static Stream<Exception> others() {
        return Stream.of(
                new SQLException("duplicate", "23505"),
                new SQLException("no state"),
                new SQLException("code of another database", "XX000", 5),
                new SQLiteException("constraint", SQLiteErrorCode.SQLITE_CONSTRAINT),
                new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL),
                new IllegalStateException("mine"),
                ring(),
                chain());
    }

    private static Exception ring() {
        IllegalStateException first = new IllegalStateException("first of a cycle");
        first.initCause(new IllegalStateException("second of a cycle", first));
        return first;
    }

    private static SQLException chain() {
        SQLException first = new SQLException("first of an endless chain", "23505");
        first.setNextException(first);
        return first;
    }

    @ParameterizedTest
    @MethodSource("others")
    void no_other_failure_is_retried(Exception failure) {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(QUICK).run(tx -> {
                    runs.incrementAndGet();
                    throw failure;
                }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_last_failure_lists_the_earlier_ones_and_the_number_of_attempts() {
        AtomicInteger runs = new AtomicInteger();
        List<String> events = new ArrayList<>();
        assertThatThrownBy(() -> work(QUICK).run(tx -> {
                    int run = runs.incrementAndGet();
                    tx.afterRollback(() -> events.add("rolled back " + run));
                    throw new SQLException("attempt " + run, "40001");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessage("attempt 5")
                .satisfies(
                        e -> assertThat(e.getSuppressed())
                                .extracting(Throwable::getMessage)
                                .containsExactly(
                                        "attempt 1",
                                        "attempt 2",
                                        "attempt 3",
                                        "attempt 4",
                                        "Gave up the unit of work on jdbc:sqlite::memory: after 5 attempts: the RetryPolicy allows no more. Shorten the unit, or raise the number of attempts."));
        assertThat(events).containsExactly("rolled back 5");
    }

    @Test
    void a_failure_thrown_twice_does_not_suppress_itself() {
        SQLException same = new SQLException("always the same", "40001");
        assertThatThrownBy(() -> work(QUICK).run(tx -> {
                    throw same;
                }))
                .isSameAs(same)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(TransactionException.class));
    }

    @Test
    void another_failure_ends_the_retries_and_lists_the_conflicts() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(QUICK).run(tx -> {
                    if (runs.incrementAndGet() == 1) {
                        throw new SQLException("conflict", "40001");
                    }
                    throw new IllegalStateException("bug");
                }))
                .hasMessage("bug")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .satisfiesExactly(
                                first -> assertThat(first).isEqualTo("conflict"),
                                note -> assertThat(note)
                                        .contains("after 2 attempts: the last failure is not a conflict")));
    }

    @Test
    void the_deadline_ends_the_retries() {
        RetryPolicy retry = new RetryPolicy(1_000, Duration.ofDays(1), Duration.ofDays(2), Duration.ZERO);
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(retry).run(tx -> {
                    runs.incrementAndGet();
                    throw new SQLException("conflict", "40001");
                }))
                .hasMessage("conflict")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(note ->
                                assertThat(note).hasMessageContaining("after 1 attempt: the deadline of PT0S")));
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_duration_of_attempts_counts_toward_the_deadline() {
        RetryPolicy retry = new RetryPolicy(100_000, Duration.ZERO, Duration.ZERO, Duration.ofMillis(50));
        assertThatThrownBy(() -> work(retry).run(tx -> {
                    throw new SQLException("conflict", "40001");
                }))
                .hasMessage("conflict")
                .satisfies(e -> assertThat(List.of(e.getSuppressed()))
                        .last()
                        .satisfies(
                                note -> assertThat(note).hasMessageContaining("the deadline of PT0.05S is reached")));
    }

    @Test
    void a_policy_without_retries_makes_one_attempt() {
        assertThat(RetryPolicy.never().attempts()).isEqualTo(1);
        assertThat(RetryPolicy.defaults().withAttempts(3).withDeadline(Duration.ofSeconds(1)))
                .isEqualTo(new RetryPolicy(3, Duration.ofMillis(2), Duration.ofMillis(250), Duration.ofSeconds(1)));
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(RetryPolicy.never()).run(tx -> {
                    runs.incrementAndGet();
                    throw new SQLException("conflict", "40001");
                }))
                .hasNoSuppressedExceptions();
        assertThat(runs).hasValue(1);
    }

    @Test
    void values_out_of_range_are_rejected() {
        Duration second = Duration.ofSeconds(1);
        Duration negative = Duration.ofNanos(-1);
        assertThatThrownBy(() -> new RetryPolicy(0, second, second, second)).hasMessageContaining("attempts");
        assertThatThrownBy(() -> new RetryPolicy(1, negative, second, second)).hasMessageContaining("firstDelay");
        assertThatThrownBy(() -> new RetryPolicy(1, second, negative, second)).hasMessageContaining("longestDelay");
        assertThatThrownBy(() -> new RetryPolicy(1, second, second, negative)).hasMessageContaining("deadline");
    }

    @Test
    void many_attempts_do_not_overflow_the_delay() {
        RetryPolicy retry = new RetryPolicy(70, Duration.ofNanos(1), Duration.ofNanos(2), Duration.ofMinutes(1));
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(retry).run(tx -> {
                    runs.incrementAndGet();
                    throw new SQLException("conflict", "40001");
                }))
                .isInstanceOf(SQLException.class);
        assertThat(runs).hasValue(70);
    }

    /** Each wait is a random part of 100 ms. Seven waits practically never last less than 10 ms together. */
    @Test
    void each_retry_waits_for_a_random_part_of_the_delay() {
        RetryPolicy retry = new RetryPolicy(8, Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofMinutes(1));
        long begin = System.nanoTime();
        assertThatThrownBy(() -> work(retry).run(tx -> {
                    throw new SQLException("conflict", "40001");
                }))
                .isInstanceOf(SQLException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(10));
    }

    /** It is practically impossible that all of 1,000 random waits are in the lower half. */
    @Test
    void the_upper_limit_of_the_delay_doubles_up_to_the_maximum() {
        RetryPolicy retry = new RetryPolicy(9, Duration.ofMillis(1), Duration.ofMillis(6), Duration.ofMinutes(1));
        long[] limits = {1_000_000, 2_000_000, 4_000_000, 6_000_000, 6_000_000};
        for (int attempt = 1; attempt <= limits.length; attempt++) {
            int number = attempt;
            long longest = LongStream.generate(() -> retry.delayAfter(number))
                    .limit(1000)
                    .max()
                    .orElseThrow();
            assertThat(longest).as("attempt %s", attempt).isBetween(limits[attempt - 1] / 2, limits[attempt - 1]);
        }
    }

    @Test
    void an_interrupt_ends_the_wait_at_once() throws InterruptedException {
        RetryPolicy patient = new RetryPolicy(3, Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(9));
        CountDownLatch failing = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (Race race = Race.withThreads(1)) {
            Thread[] thread = new Thread[1];
            Future<Throwable> attempt = race.start(() -> {
                thread[0] = Thread.currentThread();
                try {
                    work(patient).run(tx -> {
                        runs.incrementAndGet();
                        failing.countDown();
                        throw new SQLException("conflict", "40001");
                    });
                } catch (SQLException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(runs).hasValue(1);
                    return e;
                }
                return null;
            });
            assertThat(failing.await(60, TimeUnit.SECONDS)).isTrue();
            thread[0].interrupt();
            Throwable thrown = race.result(attempt);
            assertThat(thrown).hasMessage("conflict");
        }
    }

    @Test
    void an_interrupt_during_an_attempt_ends_the_retries_after_it() {
        RetryPolicy atOnce = new RetryPolicy(5, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> work(atOnce).run(tx -> {
                    if (runs.incrementAndGet() == 2) {
                        Thread.currentThread().interrupt();
                    }
                    throw new SQLException("conflict", "40001");
                }))
                .satisfies(e -> assertThat(e.getSuppressed()[1]).hasMessageContaining("interrupted"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(runs).hasValue(2);
    }

    @Test
    void begin_is_never_retried_and_a_joined_call_only_with_its_unit() throws SQLException {
        UnitOfWork work = work(QUICK);
        AtomicInteger outer = new AtomicInteger();
        AtomicInteger inner = new AtomicInteger();
        work.run(tx -> {
            outer.incrementAndGet();
            work.run(joined -> {
                if (inner.incrementAndGet() == 1) {
                    throw new SQLException("conflict", "40001");
                }
            });
        });
        assertThat(outer).hasValue(2);
        assertThat(inner).hasValue(2);
    }

    @Test
    void a_swallowed_conflict_is_retried() throws SQLException {
        UnitOfWork work = work(QUICK);
        AtomicInteger runs = new AtomicInteger();
        work.run(tx -> {
            int run = runs.incrementAndGet();
            try {
                work.run(joined -> {
                    if (run == 1) {
                        throw new SQLException("conflict", "40001");
                    }
                });
            } catch (SQLException e) {
                assertThat(run).isEqualTo(1);
            }
        });
        assertThat(runs).hasValue(2);
    }

    /** A connection outside the queue holds the lock for a while, like another process. */
    @Test
    void a_unit_on_a_file_locked_by_another_process_is_retried_until_the_lock_is_released() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("busy.db");
        Engine engine = Items.cacheWithTable(url + "?busy_timeout=1").engine(url);
        UnitOfWork work = UnitOfWork.on(engine);
        try (Connection other = DriverManager.getConnection(url)) {
            Sql.execute(other, "BEGIN IMMEDIATE");
            assertThatThrownBy(() ->
                            UnitOfWork.builder(engine).retry(QUICK).build().run(tx -> Items.insert(tx, "never")))
                    .isInstanceOf(SQLiteException.class)
                    .hasMessageContaining("SQLITE_BUSY")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(5));
            try (Transaction tx = work.begin()) {
                assertThatThrownBy(() -> Items.insert(tx, "never"))
                        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
            }
            try (Race race = Race.withThreads(1)) {
                CyclicBarrier start = new CyclicBarrier(2);
                var unit = race.start(() -> {
                    start.await(60, TimeUnit.SECONDS);
                    work.run(tx -> Items.insert(tx, "a"));
                    return true;
                });
                start.await(60, TimeUnit.SECONDS);
                Sql.execute(other, "COMMIT");
                race.result(unit);
            }
        }
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
        engine.close();
    }

    /** Each of two doctors goes off duty if the other is on duty. Together they must not both go. */
    @RepeatedTest(20)
    void serialisable_units_prevent_write_skew_on_postgresql() throws Exception {
        writeSkew(Database.POSTGRESQL);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void units_prevent_write_skew_on_every_database(Database database) throws Exception {
        writeSkew(database);
    }

    private void writeSkew(Database database) throws Exception {
        String url = database.url(directory);
        EngineCache own = EngineCache.create();
        try (own) {
            Engine engine = own.engine(url);
            Sql.execute(
                    engine.dataSource(),
                    "CREATE TABLE doctor(name TEXT PRIMARY KEY, on_duty INTEGER NOT NULL)",
                    "INSERT INTO doctor VALUES ('alice', 1), ('bob', 1)");
            UnitOfWork work = UnitOfWork.on(engine);
            CyclicBarrier bothHaveRead = new CyclicBarrier(2);
            AtomicInteger runs = new AtomicInteger();
            List<String> doctors = List.of("alice", "bob");

            Race.run(2, i -> {
                work.run(tx -> {
                    String onDuty = Sql.query(tx.connection(), "SELECT count(*) FROM doctor WHERE on_duty = 1");
                    // On PostgreSQL, both transactions reach this line, so both doctors could go off duty. On SQLite,
                    // one waits for the other.
                    if (runs.incrementAndGet() <= 2 && database == Database.POSTGRESQL) {
                        bothHaveRead.await(60, TimeUnit.SECONDS);
                    }
                    if (onDuty.equals("2")) {
                        Sql.execute(
                                tx.connection(), "UPDATE doctor SET on_duty = 0 WHERE name = '" + doctors.get(i) + "'");
                    }
                });
                return i;
            });

            assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM doctor WHERE on_duty = 1"))
                    .isEqualTo("1");
            assertThat(runs).hasValue(database == Database.POSTGRESQL ? 3 : 2);
        }
    }

    /** Two units lock two rows in opposite order: PostgreSQL fails one of them. */
    @Test
    void a_deadlock_of_postgresql_is_retried() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        try (EngineCache own = EngineCache.create()) {
            Engine engine = own.engine(url);
            Sql.execute(
                    engine.dataSource(),
                    "CREATE TABLE counter(id INTEGER PRIMARY KEY, n INTEGER NOT NULL)",
                    "INSERT INTO counter VALUES (0, 0), (1, 0)");
            UnitOfWork work = UnitOfWork.on(engine);
            CyclicBarrier bothHaveOne = new CyclicBarrier(2);
            AtomicInteger runs = new AtomicInteger();
            Race.run(2, i -> {
                work.run(tx -> {
                    Sql.execute(tx.connection(), "UPDATE counter SET n = n + 1 WHERE id = " + i);
                    if (runs.incrementAndGet() <= 2) {
                        bothHaveOne.await(60, TimeUnit.SECONDS);
                    }
                    Sql.execute(tx.connection(), "UPDATE counter SET n = n + 1 WHERE id = " + (1 - i));
                });
                return i;
            });
            assertThat(Sql.query(engine.dataSource(), "SELECT sum(n) FROM counter"))
                    .isEqualTo("4");
            assertThat(runs.get()).isGreaterThanOrEqualTo(3);
        }
    }
}
