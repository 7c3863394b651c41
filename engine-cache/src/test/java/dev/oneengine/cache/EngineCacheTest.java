package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import dev.oneengine.testing.TestSource;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineCacheTest {
    private static final String URL = "jdbc:sqlite:file:a?mode=memory";
    private static final String OTHER = "jdbc:sqlite:file:b?mode=memory";

    private final CountingFactory factory = new CountingFactory();
    private final EngineCache cache = cache(factory);

    private static EngineCache cache(EngineFactory factory) {
        return EngineCache.create(factory, EngineSettings.defaults());
    }

    @AfterEach
    void no_engine_is_open() {
        cache.close();
        assertThat(factory.violations()).isEmpty();
        assertThat(factory.open()).isZero();
    }

    @Nested
    class One_engine_per_url {
        @RepeatedTest(50)
        void racing_threads_get_the_same_engine() {
            cache.countHits();

            List<Engine> engines = Race.run(16, i -> cache.engine(URL));

            assertThat(engines).allSatisfy(engine -> assertThat(engine).isSameAs(engines.get(0)));
            assertThat(factory.created()).isEqualTo(1);
            EngineCacheStats stats = cache.stats();
            assertThat(stats.created()).isEqualTo(1);
            assertThat(stats.hits() + stats.waits()).isEqualTo(15);
        }

        @RepeatedTest(20)
        void each_of_many_urls_has_one_engine() {
            Race.run(16, i -> {
                for (int url = 0; url < 50; url++) {
                    cache.engine("jdbc:sqlite:file:" + (url + i * 7) % 50 + "?mode=memory");
                }
                return i;
            });

            assertThat(factory.created()).isEqualTo(50);
        }

        @Test
        void all_spellings_of_a_url_lead_to_the_same_engine() {
            Engine engine = cache.engine("sqlite:///:memory:");

            assertThat(cache.engine("jdbc:sqlite:")).isSameAs(engine);
            assertThat(cache.engine(DatabaseUrl.parse("jdbc:sqlite::memory:"))).isSameAs(engine);
            assertThat(cache.engine(DatabaseUrl.parse("sqlite://"), EngineSettings.defaults()))
                    .isSameAs(engine);
            assertThat(engine.url()).isEqualTo(DatabaseUrl.parse("sqlite://"));
            assertThat(engine).hasToString("Engine[jdbc:sqlite::memory:]");
            assertThat(cache).hasToString("EngineCache[jdbc:sqlite::memory:]");
        }

        @Test
        void each_cache_has_separate_engines() {
            try (EngineCache second = cache(separate_factory())) {
                assertThat(second.engine(URL)).isNotSameAs(cache.engine(URL));
            }
        }

        private EngineFactory separate_factory() {
            return new CountingFactory();
        }

        @Test
        void an_engine_is_found_by_any_number_of_aliases() {
            Engine engine = cache.countHits().engine("jdbc:sqlite:x.db");
            for (int i = 0; i < 200; i++) {
                assertThat(cache.engine("jdbc:sqlite:" + "./".repeat(i) + "x.db"))
                        .isSameAs(engine);
            }
            Counts.assertCounts(cache, 1, 200, 0, 0, 0);
        }
    }

    @Nested
    class Slow_creation {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final EngineCache slow = cache((url, settings) -> {
            if (url.name().equals("a")) {
                begun.countDown();
                assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
            }
            return factory.open(url, settings);
        });

        @AfterEach
        void close() {
            mayEnd.countDown();
            slow.close();
        }

        @Test
        void other_callers_wait_for_the_engine_in_creation() {
            try (Race race = Race.withThreads(2)) {
                Future<Engine> creator = race.start(() -> slow.engine(URL));
                Future<Engine> waiter = race.start(() -> slow.engine(URL));
                await().until(() -> slow.stats().waits() == 1);
                assertThat(waiter).isNotDone();

                mayEnd.countDown();

                assertThat(race.result(waiter)).isSameAs(race.result(creator));
                Counts.assertCounts(slow, 1, 0, 1, 0, 0);
            }
        }

        @Test
        void a_slow_creation_does_not_delay_other_urls() throws InterruptedException {
            try (Race race = Race.withThreads(1)) {
                Future<Engine> creator = race.start(() -> slow.engine(URL));
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

                assertThat(slow.engine(OTHER).isClosed()).isFalse();

                assertThat(creator).isNotDone();
                mayEnd.countDown();
                race.result(creator);
            }
        }

        @Test
        void an_interrupt_ends_the_wait_for_an_engine_in_creation() throws InterruptedException {
            try (Race race = Race.withThreads(2)) {
                Future<Engine> creator = race.start(() -> slow.engine(URL));
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                AtomicReference<Thread> waiter = new AtomicReference<>();
                Future<Boolean> stillInterrupted = race.start(() -> {
                    waiter.set(Thread.currentThread());
                    assertThatThrownBy(() -> slow.engine(URL))
                            .isInstanceOf(EngineException.class)
                            .hasMessageContainingAll("Interrupted while waiting", URL);
                    return Thread.currentThread().isInterrupted();
                });
                await().until(() -> slow.stats().waits() == 1);

                waiter.get().interrupt();

                assertThat(race.result(stillInterrupted)).isTrue();
                mayEnd.countDown();
                assertThat(race.result(creator)).isSameAs(slow.engine(URL));
            }
        }

        @Test
        void evict_ignores_an_engine_in_creation() throws InterruptedException {
            try (Race race = Race.withThreads(1)) {
                Future<Engine> creator = race.start(() -> slow.engine(URL));
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

                assertThat(slow.evict(URL)).isFalse();

                mayEnd.countDown();
                assertThat(race.result(creator)).isSameAs(slow.engine(URL));
            }
        }

        @Test
        void the_creator_closes_its_engine_if_the_cache_was_closed_during_the_creation() throws InterruptedException {
            try (Race race = Race.withThreads(2)) {
                Future<Engine> creator = race.start(() -> slow.engine(URL));
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                Future<Engine> waiter = race.start(() -> slow.engine(URL));
                await().until(() -> slow.stats().waits() == 1);

                slow.close();
                mayEnd.countDown();

                assertClosed(race.outcome(creator));
                assertClosed(race.outcome(waiter));
                assertThat(factory.created()).isEqualTo(1);
                assertThat(factory.open()).isZero();
                Counts.assertCounts(slow, 0, 0, 1, 0, 0);
            }
        }

        private void assertClosed(Outcome<Engine> outcome) {
            assertThat(outcome.failure())
                    .isInstanceOf(EngineClosedException.class)
                    .hasMessageContainingAll("is closed", URL);
        }
    }

    @Nested
    class Failed_creation {
        @Test
        void a_failed_creation_fails_all_waiting_callers_and_the_next_call_retries() {
            int waiters = 7;
            AtomicInteger attempts = new AtomicInteger();
            AtomicReference<EngineCache> self = new AtomicReference<>();
            IOException cause = new IOException("the disk is gone");
            try (EngineCache failing = cache((url, settings) -> {
                if (attempts.incrementAndGet() == 1) {
                    await().until(() -> self.get().stats().waits() == waiters);
                    throw cause;
                }
                return factory.open(url, settings);
            })) {
                self.set(failing);

                List<Outcome<Engine>> outcomes = Race.outcomes(waiters + 1, i -> failing.engine(URL));

                assertThat(outcomes)
                        .allSatisfy(outcome -> assertThat(outcome.failure())
                                .isExactlyInstanceOf(EngineCreationException.class)
                                .hasMessageContainingAll(URL, "the disk is gone")
                                .hasCause(cause));
                assertThat(outcomes.stream().map(Outcome::failure).distinct()).hasSize(waiters + 1);
                assertThat(attempts).hasValue(1);
                assertThat(failing).hasToString("EngineCache[]");

                assertThat(failing.engine(URL).isClosed()).isFalse();
                assertThat(attempts).hasValue(2);
                Counts.assertCounts(failing, 1, 0, waiters, 1, 0);
            }
        }

        @Test
        void any_throwable_of_a_factory_becomes_a_creation_exception() {
            AtomicReference<Throwable> next = new AtomicReference<>();
            try (EngineCache failing = cache((url, settings) -> {
                throw sneaky(next.get());
            })) {
                for (Throwable cause :
                        List.of(new IllegalStateException("a"), new SQLException("b"), new UnsatisfiedLinkError("c"))) {
                    next.set(cause);
                    assertThatThrownBy(() -> failing.engine(URL))
                            .isInstanceOf(EngineCreationException.class)
                            .hasMessageContaining(String.valueOf(cause.getMessage()))
                            .hasCause(cause);
                }
                next.set(new InterruptedException());
                assertThatThrownBy(() -> failing.engine(URL)).isInstanceOf(EngineCreationException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> T sneaky(Throwable throwable) throws T {
            throw (T) throwable;
        }
    }

    @Nested
    class Factory_that_calls_its_cache {
        private final AtomicReference<EngineCache> self = new AtomicReference<>();

        @Test
        void a_factory_that_requests_its_own_url_fails_at_once() {
            try (EngineCache selfish = cache((url, settings) -> {
                self.get().engine(url);
                return factory.open(url, settings);
            })) {
                self.set(selfish);
                assertThatThrownBy(() -> selfish.engine(URL))
                        .isInstanceOf(EngineCreationException.class)
                        .hasMessageContainingAll("wait for itself", URL);
            }
        }

        @Test
        void a_factory_may_request_the_engine_of_another_url() {
            try (EngineCache dependent = cache((url, settings) -> {
                if (url.name().equals("a")) {
                    self.get().engine(OTHER);
                }
                return factory.open(url, settings);
            })) {
                self.set(dependent);
                assertThat(dependent.engine(URL)).isNotSameAs(dependent.engine(OTHER));
            }
        }

        @Test
        void a_factory_whose_other_engine_cannot_be_created_fails_with_both_urls() {
            try (EngineCache dependent = cache((url, settings) -> {
                if (url.name().equals("b")) {
                    throw new IOException("the disk is gone");
                }
                self.get().engine(OTHER);
                return factory.open(url, settings);
            })) {
                self.set(dependent);
                assertThatThrownBy(() -> dependent.engine(URL))
                        .isInstanceOf(EngineCreationException.class)
                        .hasMessageContainingAll(URL, OTHER, "the disk is gone");
            }
        }

        @RepeatedTest(20)
        void factories_that_need_each_other_fail_with_a_deadlock() {
            CyclicBarrier bothCreating = new CyclicBarrier(2);
            AtomicInteger attempts = new AtomicInteger();
            try (EngineCache ring = cache((url, settings) -> {
                if (attempts.incrementAndGet() <= 2) {
                    bothCreating.await(60, TimeUnit.SECONDS);
                    self.get().engine(url.name().equals("a") ? OTHER : URL);
                }
                return factory.open(url, settings);
            })) {
                self.set(ring);

                List<Outcome<Engine>> outcomes = Race.outcomes(2, i -> ring.engine(i == 0 ? URL : OTHER));

                assertThat(outcomes)
                        .anySatisfy(outcome -> assertThat(outcome.failure())
                                .isInstanceOf(EngineCreationException.class)
                                .hasMessageContainingAll("Deadlock", URL, OTHER));
                assertThat(ring.engine(URL)).isNotSameAs(ring.engine(OTHER));
            }
        }
    }

    @Nested
    class Eviction {
        @Test
        void eviction_closes_the_engine_and_the_next_call_creates_another() {
            Engine first = cache.engine(URL);
            DataSource dataSource = first.dataSource();

            assertThat(cache.evict(URL)).isTrue();

            assertThat(first.isClosed()).isTrue();
            assertThat(first).hasToString("Engine[" + URL + ", closed]");
            assertThatThrownBy(first::dataSource)
                    .isInstanceOf(EngineClosedException.class)
                    .hasMessageContainingAll(URL, "was closed");
            assertThat(dataSource).isNotNull();
            assertThat(cache.evict(URL)).isFalse();
            Engine second = cache.engine(URL);
            assertThat(second).isNotSameAs(first);
            Counts.assertCounts(cache, 2, 0, 0, 0, 1);
        }

        @Test
        void eviction_removes_all_aliases() {
            Engine first = cache.engine("sqlite://");
            assertThat(cache.engine("jdbc:sqlite:")).isSameAs(first);
            assertThat(cache.evict("sqlite:///:memory:")).isTrue();

            Engine second = cache.engine("jdbc:sqlite:");

            assertThat(second.isClosed()).isFalse();
            assertThat(cache.engine("sqlite://")).isSameAs(second);
        }

        @Test
        void closing_an_engine_evicts_it_from_the_cache() {
            Engine first = cache.engine(URL);
            first.close();
            first.close();
            assertThat(first.isClosed()).isTrue();

            Engine second = cache.engine(URL);
            first.close();

            assertThat(second.isClosed()).isFalse();
            assertThat(cache.stats().evictions()).isEqualTo(1);
        }

        @Test
        void the_next_engine_is_created_only_after_the_evicted_one_is_closed() throws InterruptedException {
            CountDownLatch closing = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            try (EngineCache slow = cache(closedBy(() -> {
                        closing.countDown();
                        assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
                    }));
                    Race race = Race.withThreads(3)) {
                slow.engine(URL);
                Future<Boolean> evicting = race.start(() -> slow.evict(URL));
                assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();

                AtomicReference<Thread> asking = new AtomicReference<>();
                Future<Engine> next = race.start(() -> {
                    asking.set(Thread.currentThread());
                    return slow.engine(URL);
                });
                await().until(() -> asking.get() != null && asking.get().getState() == Thread.State.WAITING);
                AtomicReference<Thread> evictingToo = new AtomicReference<>();
                Future<Boolean> second = race.start(() -> {
                    evictingToo.set(Thread.currentThread());
                    return slow.evict(URL);
                });
                await().until(() ->
                        evictingToo.get() != null && evictingToo.get().getState() == Thread.State.WAITING);
                assertThat(factory.created()).isEqualTo(1);

                mayEnd.countDown();

                assertThat(race.result(evicting)).isTrue();
                assertThat(race.result(second)).isFalse();
                assertThat(race.result(next).isClosed()).isFalse();
                assertThat(factory.created()).isEqualTo(2);
            }
        }

        @Test
        void an_engine_that_cannot_be_closed_is_also_removed() {
            AtomicInteger closings = new AtomicInteger();
            EngineCache failing = cache(closedBy(() -> {
                if (closings.incrementAndGet() == 1) {
                    throw new SQLException("still busy");
                }
            }));
            Engine first = failing.engine(URL);

            assertThatThrownBy(() -> failing.evict(URL))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContainingAll("Cannot close", URL, "still busy")
                    .hasCauseInstanceOf(SQLException.class);

            assertThat(failing.engine(URL)).isNotSameAs(first);
            failing.close();
        }

        @Test
        void evict_inside_the_close_of_the_engine_does_not_wait_for_itself() {
            AtomicReference<EngineCache> self = new AtomicReference<>();
            List<Object> seen = new ArrayList<>();
            EngineCache reentrant = cache(closedBy(() -> {
                seen.add(self.get().evict(URL));
                try {
                    self.get().engine(URL);
                } catch (EngineException e) {
                    seen.add(String.valueOf(e.getMessage()));
                }
            }));
            self.set(reentrant);
            reentrant.engine(URL);

            assertThat(reentrant.evict(URL)).isTrue();

            assertThat(seen).hasSize(2).contains(false);
            assertThat(seen.get(1).toString()).contains("wait for itself", "the closing of the engine for " + URL);
            reentrant.close();
        }
    }

    @Nested
    class Closing {
        @Test
        void closing_the_cache_closes_all_engines_for_good() {
            Engine one = cache.engine(URL);
            Engine two = cache.engine(OTHER);

            cache.close();
            cache.close();

            assertThat(one.isClosed()).isTrue();
            assertThat(two.isClosed()).isTrue();
            assertThat(cache.evict(URL)).isFalse();
            assertThatThrownBy(() -> cache.engine(URL))
                    .isInstanceOf(EngineClosedException.class)
                    .hasMessageContainingAll("is closed", URL);
            assertThat(cache).hasToString("EngineCache[] (closed)");
            Counts.assertCounts(cache, 2, 0, 0, 0, 0);
        }

        @Test
        void closing_the_cache_throws_the_first_failure_and_suppresses_the_others() {
            AtomicInteger closed = new AtomicInteger();
            EngineCache failing = cache(closedBy(() -> {
                if (closed.incrementAndGet() != 2) {
                    throw new SQLException("failure " + closed);
                }
            }));
            for (int i = 0; i < 4; i++) {
                failing.engine("jdbc:sqlite:file:" + i + "?mode=memory");
            }

            assertThatThrownBy(failing::close)
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("failure 1")
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));

            assertThat(factory.open()).isZero();
            failing.close();
        }

        @Test
        void a_closing_cache_rejects_calls() throws InterruptedException {
            CountDownLatch closing = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            EngineCache slow = cache(closedBy(() -> {
                closing.countDown();
                assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
            }));
            try (Race race = Race.withThreads(1)) {
                List<Engine> engines = List.of(slow.engine(URL), slow.engine(OTHER));
                Future<Boolean> closer = race.start(() -> {
                    slow.close();
                    return true;
                });
                assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();

                // One of the two engines is still open, but the cache must no longer return it.
                Engine open = engines.stream()
                        .filter(engine -> !engine.isClosed())
                        .findAny()
                        .orElseThrow();
                assertThatThrownBy(() -> slow.engine(open.url())).isInstanceOf(EngineClosedException.class);
                assertThatThrownBy(() -> slow.engine(open.url().toString())).isInstanceOf(EngineClosedException.class);

                mayEnd.countDown();
                assertThat(race.result(closer)).isTrue();
            }
        }
    }

    @Nested
    class Different_settings {
        private final EngineSettings small =
                EngineSettings.builder().poolSize(2).build();

        @Test
        void different_settings_are_rejected_by_name() {
            cache.engine(URL);
            EngineSettings other = EngineSettings.builder()
                    .poolSize(2)
                    .busyTimeout(Duration.ofSeconds(1))
                    .build();

            assertThatThrownBy(() -> cache.engine(URL, other))
                    .isInstanceOf(EngineSettingsException.class)
                    .hasMessageContainingAll(URL, "poolSize is 10, not 2", "busyTimeout is PT5S, not PT1S")
                    .hasMessageNotContaining("foreignKeys");
        }

        @Test
        void a_call_without_settings_accepts_an_engine_with_any_settings() {
            Engine engine = cache.engine(URL, small);

            assertThat(cache.engine(URL)).isSameAs(engine);
            assertThat(cache.engine(URL, small)).isSameAs(engine);
            assertThat(cache.engine(DatabaseUrl.parse(URL))).isSameAs(engine);
            assertThat(engine.settings()).isEqualTo(small);
            assertThatThrownBy(() -> cache.engine(URL, EngineSettings.defaults()))
                    .isInstanceOf(EngineSettingsException.class);
        }

        @Test
        void different_parameters_in_the_url_are_rejected_by_name() {
            cache.engine("jdbc:postgresql://joe:right@h/db?sslmode=require&ApplicationName=x");

            cache.engine("jdbc:postgresql://joe@h/db");
            cache.engine("jdbc:postgresql://joe:right@h/db?sslmode=require");
            assertThatThrownBy(() ->
                            cache.engine("jdbc:postgresql://joe:wrong@h/db?sslmode=disable&sslpassword=hidden&a=b"))
                    .isInstanceOf(EngineSettingsException.class)
                    .hasMessageContainingAll(
                            "the parameter sslmode is require, not disable",
                            "the parameter sslpassword",
                            "the parameter a is not given, not b",
                            "the password")
                    .hasMessageNotContainingAny("right", "wrong", "hidden");
        }

        /** A rejected URL must not become an alias of the engine. */
        @Test
        void different_settings_are_rejected_in_every_call() {
            String right = "jdbc:postgresql://joe:right@h/db?sslmode=require";
            cache.engine(right, small);
            for (int i = 0; i < 3; i++) {
                for (String wrong : List.of(
                        "jdbc:postgresql://joe:wrong@h/db?sslmode=require",
                        "jdbc:postgresql://joe:right@h/db?sslmode=disable")) {
                    assertThatThrownBy(() -> cache.engine(wrong)).isInstanceOf(EngineSettingsException.class);
                    assertThatThrownBy(() -> cache.engine(wrong, small)).isInstanceOf(EngineSettingsException.class);
                    assertThatThrownBy(() -> cache.engine(DatabaseUrl.parse(wrong)))
                            .isInstanceOf(EngineSettingsException.class);
                }
                assertThatThrownBy(() -> cache.engine(right, EngineSettings.defaults()))
                        .isInstanceOf(EngineSettingsException.class);
                assertThat(cache.engine(right)).isSameAs(cache.engine(right, small));
            }
        }
    }

    @Test
    void all_aliases_of_many_engines_are_found() {
        List<Engine> engines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            engines.add(cache.engine("jdbc:sqlite:file:" + i + "?mode=memory"));
        }
        for (int i = 0; i < 300; i++) {
            assertThat(cache.engine("jdbc:sqlite:file:" + i + "?mode=memory")).isSameAs(engines.get(i));
        }
        for (int i = 0; i < 300; i += 2) {
            cache.evict("jdbc:sqlite:file:" + i + "?mode=memory");
        }
        for (int i = 0; i < 300; i++) {
            Engine engine = cache.engine("jdbc:sqlite:file:" + i + "?mode=memory");
            assertThat(engine.isClosed()).isFalse();
            assertThat(engine == engines.get(i)).isEqualTo(i % 2 == 1);
        }
        Counts.assertCounts(cache, 450, 0, 0, 0, 150);
    }

    @Test
    void hits_are_counted_exactly_after_a_call_of_count_hits() {
        cache.engine(URL);
        cache.engine(URL);
        assertThat(cache.stats().hits()).isZero();

        cache.countHits();
        Race.run(200, i -> {
            for (int n = 0; n < 500; n++) {
                cache.engine(URL);
            }
            return i;
        });
        assertThat(cache.stats().hits()).isEqualTo(100_000);
    }

    @Test
    void an_invalid_url_is_rejected() {
        assertThatThrownBy(() -> cache.engine("h2:mem")).isInstanceOf(InvalidDatabaseUrlException.class);
        assertThatThrownBy(() -> cache.engine((String) null)).isInstanceOf(InvalidDatabaseUrlException.class);
        assertThatThrownBy(() -> cache.evict("h2:mem")).isInstanceOf(InvalidDatabaseUrlException.class);
    }

    @Test
    void shared_always_returns_the_same_cache() {
        assertThat(EngineCache.shared()).isNotNull().isSameAs(EngineCache.shared());
    }

    /** Random calls, evictions and closings: no call returns a closed engine, none leaks, and one URL never has two. */
    @RepeatedTest(10)
    void racing_engine_evict_and_close_calls_leak_no_engine_and_return_no_closed_one() {
        AtomicInteger rounds = new AtomicInteger();
        Race.run(8, i -> {
            for (int round = 0; round < 500; round++) {
                String url = "jdbc:sqlite:file:" + (round % 3) + "?mode=memory";
                if (i < 5) {
                    Engine engine = cache.engine(url);
                    assertThat(engine.url().name()).isEqualTo(String.valueOf(round % 3));
                } else if (i < 7) {
                    cache.evict(url);
                } else {
                    cache.engine(url).close();
                }
                rounds.incrementAndGet();
            }
            return i;
        });
        assertThat(rounds).hasValue(4000);
        assertThat(factory.open()).isLessThanOrEqualTo(3);
    }

    /** Opens engines that run an action when they are closed. */
    private EngineFactory closedBy(AutoCloseable action) {
        return (url, settings) -> {
            EngineSource source = factory.open(url, settings);
            return new TestSource(source.dataSource(), () -> {
                source.close();
                action.close();
            });
        };
    }
}
