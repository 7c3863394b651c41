package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.SQLiteDataSource;

/** The view of other threads while an engine is being closed. */
@Timeout(60)
class ClosingOrderTest {
    private static final String URL = "jdbc:sqlite:file:a?mode=memory";

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicReference<Engine> engine = new AtomicReference<>();
    private final AtomicReference<Boolean> closedMeanwhile = new AtomicReference<>();
    private final EngineCache cache = EngineCache.create((url, settings) -> new Slow(), EngineSettings.defaults());

    private final class Slow implements EngineSource {
        @Override
        public DataSource dataSource() {
            return new SQLiteDataSource();
        }

        @Override
        public void close() {
            closedMeanwhile.set(engine.get().isClosed());
            closing.countDown();
            try {
                assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        cache.close();
    }

    @Test
    void an_engine_is_marked_closed_before_its_connections_close() {
        engine.set(cache.engine(URL));
        mayEnd.countDown();

        cache.evict(URL);

        assertThat(closedMeanwhile).hasValue(true);
    }

    @Test
    void a_second_eviction_waits_for_the_first() throws InterruptedException {
        engine.set(cache.engine(URL));
        try (Race race = Race.withThreads(2)) {
            Future<Boolean> first = race.start(() -> cache.evict(URL));
            assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Boolean> second = race.start(() -> {
                thread.set(Thread.currentThread());
                return cache.evict(URL);
            });
            // A thread whose call has ended also waits, for its next task. So the call must not have ended.
            await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);
            assertThat(second).isNotDone();

            mayEnd.countDown();

            assertThat(race.result(first)).isTrue();
            assertThat(race.result(second)).isFalse();
        }
    }

    @Test
    void a_closing_cache_evicts_no_engine() throws InterruptedException {
        engine.set(cache.engine(URL));
        Engine other = cache.engine("jdbc:sqlite:file:b?mode=memory");
        try (Race race = Race.withThreads(1)) {
            Future<Boolean> closer = race.start(() -> {
                cache.close();
                return true;
            });
            assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();

            // One of the two engines is still open, but the cache no longer returns it. It must not be evicted either.
            Engine open = other.isClosed() ? engine.get() : other;
            assertThat(cache.evict(open.url())).isFalse();

            mayEnd.countDown();
            assertThat(race.result(closer)).isTrue();
        }
    }
}
