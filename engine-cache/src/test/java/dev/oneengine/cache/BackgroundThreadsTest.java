package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that this library starts, and callers' threads that override methods of {@code Thread}. */
@Timeout(60)
class BackgroundThreadsTest {
    private static final AtomicInteger INHERITED = new AtomicInteger();

    private static final InheritableThreadLocal<Object> OF_THE_CALLER = new InheritableThreadLocal<>() {
        @Override
        protected Object childValue(Object parent) {
            if (!isOfTheDriver()) {
                INHERITED.incrementAndGet();
            }
            return parent;
        }
    };

    @TempDir
    Path directory;

    /** The threads of a pool must not keep an undeployed application in memory, even if it created the first engine. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void pool_threads_do_not_retain_the_class_loader_of_their_creator(Database database) throws Exception {
        Pools.awaitNoThreads();
        INHERITED.set(0);
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        String url = database.url(directory);
        try (URLClassLoader application = new URLClassLoader(new URL[0], before);
                EngineCache cache = EngineCache.create()) {
            caller.setContextClassLoader(application);
            OF_THE_CALLER.set("the application");
            DataSource dataSource = cache.engine(url).dataSource();
            try (Connection first = dataSource.getConnection();
                    Connection second = dataSource.getConnection()) { // another thread creates this pool
                assertThat(Sql.query(first, "SELECT 1") + Sql.query(second, "SELECT 1"))
                        .isEqualTo("11");
            }
            List<Thread> started = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("one-engine"))
                    .toList();
            assertThat(started).hasSizeGreaterThanOrEqualTo(2).allSatisfy(thread -> {
                assertThat(thread.getContextClassLoader()).isSameAs(EngineCache.class.getClassLoader());
                assertThat(thread.isDaemon()).isTrue();
            });
            cache.evict(url);
            assertThat(INHERITED).hasValue(0);
        } finally {
            OF_THE_CALLER.remove();
            caller.setContextClassLoader(before);
        }
        Pools.awaitNoThreads();
    }

    /** PostgreSQL's driver connects in a separate thread, which ends once it is connected. */
    private static boolean isOfTheDriver() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("org.postgresql")));
    }

    /** Threads that override {@code equals} and {@code hashCode}. */
    private static final class Odd extends Thread {
        Odd(Runnable task) {
            super(task);
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("no hash code");
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Odd;
        }
    }

    @Test
    void threads_that_override_equals_do_not_break_waiting() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        try (EngineCache cache = EngineCache.create(
                        (url, settings) -> {
                            if (first.getAndSet(false)) {
                                begun.countDown();
                                assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
                            }
                            return new CountingFactory().open(url, settings);
                        },
                        EngineSettings.defaults());
                Race race = Race.withThreads(1)) {
            Future<Engine> creator = race.start(() -> cache.engine(DatabaseUrl.parse("sqlite://")));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            List<AtomicReference<Object>> results =
                    List.of(new AtomicReference<>(), new AtomicReference<>(), new AtomicReference<>());
            List<Odd> waiting = results.stream()
                    .map(result -> new Odd(() -> {
                        try {
                            result.set(cache.engine(DatabaseUrl.parse("sqlite://")));
                        } catch (RuntimeException e) {
                            result.set(e);
                        }
                    }))
                    .toList();
            waiting.forEach(Thread::start);
            await().until(() -> cache.stats().waits() == 3);
            mayEnd.countDown();
            for (Thread thread : waiting) {
                thread.join(TimeUnit.SECONDS.toMillis(30));
            }
            Engine engine = race.result(creator);
            assertThat(results).allSatisfy(result -> assertThat(result.get()).isSameAs(engine));
        }
    }
}
