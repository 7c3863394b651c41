package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Sql;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class LeakTest {
    private static final String URL = "sqlite:///:memory:";

    private final Logger logger = (Logger) LoggerFactory.getLogger(LeakWatch.class);
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };
    private EngineCache cache;

    @BeforeEach
    void open() throws SQLException {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        cache = Items.cacheWithTable(URL);
    }

    @AfterEach
    void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        cache.close();
    }

    private UnitOfWork work(Duration leakAfter) {
        return UnitOfWork.builder(URL).cache(cache).leakAfter(leakAfter).build();
    }

    @Test
    void a_transaction_open_for_too_long_is_logged_with_its_origin() {
        UnitOfWork work = work(Duration.ofMillis(300)); // long enough for the second call to join before the limit
        try (Transaction tx = work.begin();
                Transaction part = work.begin()) {
            await().until(() -> events.size() == 2);
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.WARN);
                assertThat(event.getFormattedMessage())
                        .contains(
                                "jdbc:sqlite::memory:",
                                "PT0.3S",
                                Thread.currentThread().getName(),
                                "Commit or close it");
                assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
                        .anySatisfy(frame -> assertThat(frame.getSTEAsString())
                                .contains("a_transaction_open_for_too_long_is_logged_with_its_origin"));
            });
            part.commit();
            tx.commit();
        }
    }

    @Test
    void a_transaction_ended_in_time_is_not_logged() {
        UnitOfWork work = work(Duration.ofHours(1));
        for (int i = 0; i < 100; i++) {
            try (Transaction tx = work.begin()) {
                tx.commit();
            }
        }
        try (Transaction tx = work(Duration.ZERO).begin()) {
            tx.commit();
        }
        assertThat(events).isEmpty();
        assertThat(LeakWatch.watched()).isZero();
        assertThatThrownBy(() ->
                        UnitOfWork.builder(URL).leakAfter(Duration.ofNanos(-1)).build())
                .hasMessageContaining("leakAfter");
    }

    @Test
    void a_unit_open_for_too_long_rejects_joining_calls() throws SQLException {
        UnitOfWork work = work(Duration.ofMillis(1));
        try (Transaction tx = work.begin()) {
            Items.insert(tx, "a");
            await().until(() -> events.size() == 1);
            for (ThrowingCallable join : List.<ThrowingCallable>of(
                    () -> work.run(part -> Items.insert(part, "lost")),
                    () -> work.read(part -> true),
                    work::begin,
                    () -> work(Duration.ZERO).run(part -> Items.insert(part, "lost")))) {
                assertThatThrownBy(join)
                        .isInstanceOf(TransactionException.class)
                        .hasMessageContaining("jdbc:sqlite::memory:")
                        .hasMessageContaining(Thread.currentThread().getName())
                        .hasMessageContaining("PT0.001S")
                        .hasMessageContaining("LeakTest.a_unit_open_for_too_long_rejects_joining_calls(LeakTest.java:")
                        .hasMessageContaining("leakAfter")
                        .cause()
                        .hasStackTraceContaining("a_unit_open_for_too_long_rejects_joining_calls");
            }
            tx.nested(inner -> Items.insert(inner, "b")); // the owner can continue
            tx.commit();
        }
        assertThat(items()).containsExactly("a", "b");
        work.run(tx -> Items.insert(tx, "next"));
        assertThat(items()).containsExactly("a", "b", "next");
        assertThat(LeakWatch.watched()).isZero();
    }

    private List<String> items() throws SQLException {
        return Items.in(cache.engine(URL).dataSource());
    }

    @Test
    void a_leak_limit_of_zero_disables_the_check() throws SQLException {
        UnitOfWork work = work(Duration.ZERO);
        try (Transaction tx = work.begin()) {
            work.run(part -> Items.insert(part, "a"));
            work.begin().commit();
            tx.commit();
        }
        assertThat(items()).containsExactly("a");
        assertThat(LeakWatch.watched()).isZero();
    }

    /** The outer unit is not leaked: it ends with its function and then reports the joined transaction left open. */
    @Test
    void a_joined_transaction_open_for_too_long_does_not_block_further_calls() throws SQLException {
        UnitOfWork work = work(Duration.ofMillis(1));
        work.run(tx -> {
            try (Transaction part = work.begin()) {
                await().until(() -> events.size() == 1);
                work.run(joined -> Items.insert(joined, "a"));
                part.commit();
            }
        });
        assertThat(items()).containsExactly("a");
    }

    /** No caller can commit the unit, because its transaction object is garbage. */
    @Test
    void a_unit_whose_transaction_was_dropped_is_rolled_back_before_the_next_one() throws SQLException {
        for (Duration leakAfter : List.of(Duration.ofHours(1), Duration.ZERO)) {
            events.clear();
            UnitOfWork work = work(leakAfter);
            Connection kept = leak(work);
            await().pollInSameThread().until(() -> {
                System.gc();
                return OpenUnits.find(work.engine()) == null;
            });
            work.run(tx -> Items.insert(tx, "kept"));

            assertThat(items()).containsExactly("kept");
            assertThatThrownBy(kept::createStatement).hasMessageContaining("has ended");
            assertThat(events)
                    .singleElement()
                    .satisfies(event -> assertThat(event.getFormattedMessage())
                            .contains(
                                    "jdbc:sqlite::memory:",
                                    Thread.currentThread().getName(),
                                    "was rolled back"));
            Sql.execute(cache.engine(URL).dataSource(), "DELETE FROM item");
        }
        assertThat(LeakWatch.watched()).isZero();
    }

    @Test
    void a_unit_whose_thread_has_died_does_not_block_writers_until_the_limit() throws Exception {
        UnitOfWork work = work(Duration.ofHours(1));
        FutureTask<Connection> leak = new FutureTask<>(() -> leak(work));
        Thread thread = new Thread(leak, "leaking");
        thread.start();
        thread.join();

        work.run(tx -> Items.insert(tx, "kept"));

        assertThat(items()).containsExactly("kept");
        assertThatThrownBy(leak.get()::createStatement).isInstanceOf(SQLException.class);
        await().untilAsserted(() -> assertThat(events)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).contains("leaking", "has died")));
    }

    private static Connection leak(UnitOfWork work) throws SQLException {
        Transaction tx = work.begin();
        Items.insert(tx, "lost");
        tx.afterCommit(() -> {
            throw new IllegalStateException("The unit was not committed");
        });
        return tx.connection();
    }

    @Test
    void a_thread_does_not_retain_ended_units() {
        UnitOfWork work = work(Duration.ofHours(1));
        List<WeakReference<UnitState>> ended = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            work.run(tx -> ended.add(new WeakReference<>(OpenUnits.find(work.engine()))));
        }
        ended.add(endBeforeInner(work));
        await().pollInSameThread().until(() -> {
            System.gc();
            return ended.stream().allMatch(unit -> unit.refersTo(null));
        });
    }

    /** Ends the outer unit before the inner one. */
    private WeakReference<UnitState> endBeforeInner(UnitOfWork work) {
        UnitOfWork onOther = UnitOfWork.on(cache.engine("jdbc:sqlite:file:other?mode=memory"));
        Transaction outer = work.begin();
        WeakReference<UnitState> unit = new WeakReference<>(OpenUnits.find(work.engine()));
        Transaction inner = onOther.begin();
        outer.close();
        inner.close();
        return unit;
    }

    @Test
    void a_failed_joined_call_does_not_keep_a_dropped_unit_open() throws SQLException {
        UnitOfWork work = work(Duration.ofHours(1));
        dropAfterFailure(work);
        await().pollInSameThread().until(() -> {
            System.gc();
            return OpenUnits.find(work.engine()) == null;
        });
        work.run(tx -> Items.insert(tx, "kept"));
        assertThat(items()).containsExactly("kept");
    }

    private static void dropAfterFailure(UnitOfWork work) throws SQLException {
        Items.insert(work.begin(), "lost");
        assertThatThrownBy(() -> work.run(part -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
    }

    @Test
    void a_closed_joined_transaction_does_not_keep_a_dropped_unit_open() {
        UnitOfWork work = work(Duration.ofHours(1));
        dropWithClosedPart(work);
        await().pollInSameThread().until(() -> {
            System.gc();
            return OpenUnits.find(work.engine()) == null;
        });
    }

    private static void dropWithClosedPart(UnitOfWork work) {
        assertThat(work.begin().isReadOnly()).isFalse();
        work.begin().close();
    }

    @Test
    void a_joined_transaction_is_watched_until_it_ends() {
        UnitOfWork work = work(Duration.ofHours(1));
        try (Transaction tx = work.begin()) {
            assertThat(LeakWatch.watched()).isOne();
            Transaction part = work.begin();
            assertThat(LeakWatch.watched()).isEqualTo(2);
            part.commit();
            assertThat(LeakWatch.watched()).isOne();
            tx.commit();
        }
        assertThat(LeakWatch.watched()).isZero();
    }

    /** A long unit may execute millions of statements. */
    @Test
    void an_open_unit_does_not_retain_closed_statements() throws SQLException {
        work(Duration.ZERO).run(tx -> {
            List<WeakReference<Object>> closed = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                closed.add(closedStatement(tx));
            }
            await().pollInSameThread().until(() -> {
                System.gc();
                return closed.stream().allMatch(statement -> statement.refersTo(null));
            });
        });
    }

    private static WeakReference<Object> closedStatement(Transaction tx) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            return new WeakReference<>(((Guarded<?>) statement).target);
        }
    }

    @Test
    void a_unit_with_a_running_call_continues_after_its_transaction_is_dropped() throws SQLException {
        UnitOfWork work = work(Duration.ofHours(1));
        WeakReference<Transaction> dropped = drop(work);
        work.run(part -> {
            await().pollInSameThread().until(() -> {
                System.gc();
                return dropped.refersTo(null);
            });
            UnitState open = OpenUnits.find(work.engine());
            assertThat(open).isNotNull();
            part.nested(inner ->
                    assertThat(OpenUnits.find(work.engine())).isNotNull().isSameAs(open));
            Items.insert(part, "lost");
        });
        assertThat(OpenUnits.find(work.engine())).isNull();
        assertThat(items()).isEmpty();
    }

    private static WeakReference<Transaction> drop(UnitOfWork work) {
        return new WeakReference<>(work.begin());
    }

    /** When a unit ends, the watch of its joined transactions ends, too. */
    @Test
    void the_transaction_of_an_ended_unit_is_no_longer_watched() {
        UnitOfWork work = work(Duration.ofMillis(1));
        assertThatThrownBy(() -> work.run(tx -> work.begin())).isInstanceOf(RollbackOnlyException.class);
        await().until(() -> LeakWatch.watched() == 0);
    }

    /** The leak was reported while the thread was alive; then the thread died. */
    @Test
    void a_unit_left_by_a_thread_that_dies_after_the_report_is_rolled_back() throws Exception {
        CountDownLatch mayDie = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            work(Duration.ofMillis(1)).begin();
            try {
                assertThat(mayDie.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        await().until(() -> !events.isEmpty());
        mayDie.countDown();
        thread.join(60_000);
        int one = work(Duration.ZERO).call(tx -> 1);
        assertThat(one).isEqualTo(1);
    }

    /** No thread can end the unit, and in memory all other units would wait for it. */
    @Test
    void a_unit_left_by_a_dead_thread_is_rolled_back() throws Exception {
        Thread thread = new Thread(() -> {
            Transaction tx = work(Duration.ofMillis(1)).begin();
            Transaction part = work(Duration.ofMillis(1)).begin();
            assertThat(part.isRollbackOnly()).isFalse();
            try {
                Items.insert(tx, "a");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        thread.join(60_000);

        UnitOfWork next = work(Duration.ZERO);
        List<String> items = next.read(tx -> Items.in(tx.connection()));

        assertThat(items).isEmpty();
        // The rollback precedes the report, so other units may run before the report.
        await().untilAsserted(() -> assertThat(events)
                .anySatisfy(event -> assertThat(event.getFormattedMessage())
                        .contains("was left open by thread " + thread.getName())));
    }
}
