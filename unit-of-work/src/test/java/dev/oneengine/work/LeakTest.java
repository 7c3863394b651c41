package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.oneengine.cache.EngineCache;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    void what_is_open_for_too_long_is_reported_with_its_place() {
        UnitOfWork work = work(Duration.ofMillis(1));
        try (Transaction tx = work.begin();
                Transaction part = work.begin()) {
            await().until(() -> events.size() == 2);
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.WARN);
                assertThat(event.getFormattedMessage())
                        .contains(
                                "jdbc:sqlite::memory:",
                                "PT0.001S",
                                Thread.currentThread().getName(),
                                "commit or close it");
                assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
                        .anySatisfy(frame -> assertThat(frame.getSTEAsString())
                                .contains("what_is_open_for_too_long_is_reported_with_its_place"));
            });
            part.commit();
            tx.commit();
        }
    }

    @Test
    void what_is_ended_in_time_is_not() {
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
    void whoever_joins_what_is_open_for_too_long_is_warned() throws SQLException {
        UnitOfWork work = work(Duration.ofMillis(1));
        Logger unit = (Logger) LoggerFactory.getLogger(Unit.class);
        unit.addAppender(appender);
        unit.setAdditive(false);
        try (Transaction tx = work.begin()) {
            await().until(() -> events.size() == 1);
            work.run(part -> {});
            work.begin().commit();
            assertThat(events.stream()
                            .filter(event ->
                                    event.getFormattedMessage().contains("joins one that is open for too long")))
                    .hasSize(2);
            tx.commit();
        } finally {
            unit.detachAppender(appender);
            unit.setAdditive(true);
        }
        await().until(() -> LeakWatch.watched() == 0);
    }

    /** The watch of a part sees that the whole has ended. */
    @Test
    void what_has_ended_is_watched_no_longer() {
        UnitOfWork work = work(Duration.ofMillis(1));
        assertThatThrownBy(() -> work.run(tx -> work.begin())).isInstanceOf(RollbackOnlyException.class);
        await().until(() -> LeakWatch.watched() == 0);
    }

    /** It was reported when the thread was alive; then that died. */
    @Test
    void what_a_thread_leaves_that_dies_later_is_rolled_back_as_well() throws Exception {
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

    /** Nobody can end it any more, and in memory everybody would wait for it. */
    @Test
    void what_a_dead_thread_has_left_is_rolled_back() throws Exception {
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
        // It is rolled back first, so others may go on before it is reported.
        await().untilAsserted(() -> assertThat(events)
                .anySatisfy(event -> assertThat(event.getFormattedMessage())
                        .contains("was left open by thread " + thread.getName())));
    }
}
