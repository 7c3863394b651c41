package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import dev.oneengine.testing.TestSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.sqlite.SQLiteDataSource;

/**
 * Creations, preparations and closings that fail, and whose failure handling fails as well: no thread hangs, and the
 * next call works.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class FailureProtocolTest {
    private static final String URL = "jdbc:sqlite:file:a?mode=memory";
    private static final String OTHER = "jdbc:sqlite:file:b?mode=memory";

    private final CountingFactory factory = new CountingFactory();

    /** Thrown once by the factory, or by a step. */
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    private final EngineCache cache = EngineCache.create(
            (url, settings) -> {
                fail();
                return factory.open(url, settings);
            },
            EngineSettings.defaults());

    @AfterEach
    void no_engine_is_open() {
        cache.close();
        assertThat(factory.violations()).isEmpty();
        assertThat(factory.open()).isZero();
    }

    private void fail() throws Exception {
        Throwable once = fault.getAndSet(null);
        if (once != null) {
            throw sneaky(once);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable throwable) throws T {
        throw (T) throwable;
    }

    /** A failure whose methods fail, too. */
    private static final class Mute extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }
    }

    private static <T> T inAnotherThread(Callable<T> call) {
        try (Race race = Race.withThreads(1)) {
            return race.result(race.start(call));
        }
    }

    @Test
    void a_creation_whose_failure_has_no_message_fails_and_the_next_call_works() {
        Mute mute = new Mute();
        fault.set(mute);
        assertThatThrownBy(() -> cache.engine(URL))
                .isExactlyInstanceOf(EngineCreationException.class)
                .hasMessage("Cannot create the engine for " + URL + ": " + Mute.class.getName())
                .cause()
                .isSameAs(mute);

        Counts.assertCounts(cache, 0, 0, 0, 1, 0);
        assertThat(inAnotherThread(() -> cache.engine(URL))).isSameAs(cache.engine(URL));
        assertThat(cache.evict(URL)).isTrue();
    }

    @Test
    void all_waiting_callers_get_a_failure_without_a_message() {
        AtomicReference<EngineCache> self = new AtomicReference<>();
        Mute mute = new Mute();
        try (EngineCache failing = EngineCache.create(
                (url, settings) -> {
                    await().until(() -> self.get().stats().waits() == 3);
                    throw mute;
                },
                EngineSettings.defaults())) {
            self.set(failing);
            List<Outcome<Engine>> outcomes = Race.outcomes(4, i -> failing.engine(URL));
            assertThat(outcomes)
                    .extracting(Outcome::failure)
                    .doesNotHaveDuplicates()
                    .allSatisfy(failure -> assertThat(failure)
                            .isExactlyInstanceOf(EngineCreationException.class)
                            .cause()
                            .isSameAs(mute));
        }
    }

    @Test
    void a_preparation_whose_failure_has_no_message_fails_and_the_next_call_works() {
        Engine engine = cache.engine(URL);
        Preparation<Boolean> step = Preparation.of("schema", e -> fail());
        Mute mute = new Mute();
        fault.set(mute);
        assertThatThrownBy(() -> engine.prepare(step))
                .isExactlyInstanceOf(PreparationException.class)
                .hasMessageContainingAll("schema", URL, Mute.class.getName())
                .cause()
                .isSameAs(mute);

        assertThat(inAnotherThread(() -> engine.prepare(step))).isTrue();
        assertThat(inAnotherThread(() -> engine.prepare(Preparation.of("other", e -> {}))))
                .isTrue();
    }

    /**
     * The engine reads the name of a step only once. If a later read returned another name or failed, the step would
     * count as running for ever.
     */
    @Test
    void a_step_whose_name_changes_does_not_hang() {
        Engine engine = cache.engine(URL);
        AtomicInteger asked = new AtomicInteger();
        Preparation<Boolean> step = new Preparation<>() {
            @Override
            public String name() {
                return "name " + asked.incrementAndGet();
            }

            @Override
            public Boolean prepare(Engine engine) throws Exception {
                fail();
                return true;
            }
        };
        fault.set(new IOException("no"));
        assertThatThrownBy(() -> engine.prepare(step)).hasMessageContaining("\"name 1\"");
        assertThat(inAnotherThread(() -> engine.prepare(Preparation.of("name 1", e -> {}))))
                .isTrue();
    }

    @Test
    void an_interrupt_inside_a_step_is_preserved() {
        Engine engine = cache.engine(URL);
        fault.set(new InterruptedException("enough"));
        assertThatThrownBy(() -> engine.prepare(Preparation.of("schema", e -> fail())))
                .isExactlyInstanceOf(PreparationException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void null_from_a_factory_is_a_failure() {
        EngineCache nothing = EngineCache.create((url, settings) -> null, EngineSettings.defaults());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> nothing.engine(URL))
                    .isExactlyInstanceOf(EngineCreationException.class)
                    .hasMessageContainingAll(URL, "the EngineFactory returned null");
        }
        assertThat(nothing).hasToString("EngineCache[]");
    }

    @Test
    void null_from_a_step_is_a_failure_for_all_callers() {
        Engine engine = cache.engine(URL);
        AtomicInteger runs = new AtomicInteger();
        Preparation<Object> step = new Preparation<>() {
            @Override
            public String name() {
                return "nothing";
            }

            @Override
            public Object prepare(Engine engine) {
                runs.incrementAndGet();
                return null;
            }
        };
        List<Outcome<Object>> outcomes = Race.outcomes(4, i -> engine.prepare(step));
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.failure())
                        .isExactlyInstanceOf(PreparationException.class)
                        .hasMessageContainingAll("nothing", URL, "returned null"));
        assertThat(engine.isPrepared(step)).isFalse();
    }

    @Test
    void a_factory_that_calls_another_closed_cache_fails_and_is_retried() {
        EngineCache closed = EngineCache.create();
        closed.close();
        AtomicInteger attempts = new AtomicInteger();
        try (EngineCache dependent = EngineCache.create(
                (url, settings) -> {
                    if (attempts.incrementAndGet() == 1) {
                        closed.engine(OTHER);
                    }
                    return factory.open(url, settings);
                },
                EngineSettings.defaults())) {
            assertThatThrownBy(() -> dependent.engine(URL))
                    .isExactlyInstanceOf(EngineCreationException.class)
                    .hasMessageContainingAll("Cannot create the engine for " + URL, OTHER)
                    .hasCauseInstanceOf(EngineClosedException.class);
            assertThat(dependent.stats().failures()).isEqualTo(1);
            assertThat(dependent.engine(URL).isClosed()).isFalse();
        }
    }

    /** An exception of a logging framework never changes the outcome of an operation. */
    @Test
    void a_logger_that_fails_changes_nothing() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.oneengine.cache");
        LoggerContext context = logger.getLoggerContext();
        AtomicInteger failures = new AtomicInteger();
        TurboFilter broken = new TurboFilter() {
            @Override
            public FilterReply decide(
                    Marker marker, Logger asked, Level level, String format, Object[] params, Throwable t) {
                if (asked.getName().startsWith(logger.getName())) {
                    failures.incrementAndGet();
                    throw new StackOverflowError("no log");
                }
                return FilterReply.NEUTRAL;
            }
        };
        context.addTurboFilter(broken);
        try {
            fault.set(new IOException("the disk is gone"));
            assertThatThrownBy(() -> cache.engine(URL)).isExactlyInstanceOf(EngineCreationException.class);
            Engine engine = cache.engine(URL);
            assertThat(engine.prepare(Preparation.of("schema", e -> {}))).isTrue();
            assertThat(inAnotherThread(() -> cache.engine(URL))).isSameAs(engine);
            assertThat(cache.evict(URL)).isTrue();
            assertThat(factory.open()).isZero();
        } finally {
            context.getTurboFilterList().remove(broken);
        }
        assertThat(failures).hasValueGreaterThanOrEqualTo(5);
    }

    /** Calls at every depth near the end of a small stack. */
    @Tag("slow")
    @Test
    void a_stack_overflow_leaves_every_url_usable() throws InterruptedException {
        Engine other = cache.engine(OTHER);
        AtomicInteger overflows = new AtomicInteger();
        Preparation<Boolean> step = Preparation.of("schema", e -> {});
        Runnable calls = () -> {
            cache.engine(URL);
            other.prepare(step);
            cache.evict(URL);
        };
        for (int i = 0; i < 30; i++) {
            int frame = i;
            Thread thread = new Thread(null, () -> deep(calls, frame, overflows), "deep", 400_000);
            thread.start();
            thread.join();

            Engine engine = inAnotherThread(() -> cache.engine(URL));
            assertThat(engine.isClosed()).isFalse();
            assertThat(inAnotherThread(() -> other.prepare(step))).isTrue();
            assertThat(inAnotherThread(() -> cache.evict(URL))).isTrue();
        }
        assertThat(overflows).hasValueGreaterThan(30);
    }

    /** Descends to the end of the stack, and runs the calls on the way back until they succeed. */
    private static boolean deep(Runnable calls, int padding, AtomicInteger overflows) {
        boolean done;
        try {
            done = padding % 2 == 0 ? deep(calls, padding, overflows) : deeper(calls, padding, 1, 2, 3, overflows);
        } catch (StackOverflowError e) {
            done = false;
        }
        if (!done) {
            try {
                calls.run();
                done = true;
            } catch (StackOverflowError | EngineException e) {
                overflows.incrementAndGet();
            }
        }
        return done;
    }

    private static boolean deeper(Runnable calls, int padding, long a, long b, long c, AtomicInteger overflows) {
        return a + b + c == padding ? deep(calls, padding + 2, overflows) : deep(calls, padding, overflows);
    }

    @Test
    void all_engines_are_closed_in_the_reverse_order_of_their_creation_and_every_failure_is_reported() {
        List<String> closed = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<EngineCache> self = new AtomicReference<>();
        IOException same = new IOException("the same");
        EngineCache failing = EngineCache.create(
                (url, settings) -> {
                    if (url.name().equals("first")) { // needs the second engine, which is therefore created first
                        self.get().engine("jdbc:sqlite:file:second?mode=memory");
                    }
                    EngineSource source = factory.open(url, settings);
                    return new TestSource(new SQLiteDataSource(), () -> {
                        source.close();
                        closed.add(url.name());
                        throw sneaky(
                                switch (closed.size()) {
                                    case 1 -> new InterruptedException("1");
                                    case 2, 3 -> same;
                                    case 4 -> new StackOverflowError("4");
                                    default -> new Mute();
                                });
                    });
                },
                EngineSettings.defaults());
        self.set(failing);
        List<String> names = new ArrayList<>(List.of("second", "first"));
        failing.engine("jdbc:sqlite:file:first?mode=memory");
        for (int i = 0; i < 40; i++) {
            failing.engine("jdbc:sqlite:file:" + i + "?mode=memory");
            names.add(String.valueOf(i));
        }
        Collections.reverse(names);

        assertThatThrownBy(failing::close)
                .isExactlyInstanceOf(EngineException.class)
                .hasMessage("Cannot close the engine for jdbc:sqlite:file:39?mode=memory: 1")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(41));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(closed).isEqualTo(names);
        assertThat(factory.open()).isZero();
        failing.close();
    }

    @Test
    void an_eviction_that_fails_in_any_way_removes_the_engine() {
        for (Throwable failure : List.of(
                new StackOverflowError("e"),
                new InterruptedException("e"),
                new NoClassDefFoundError("e"),
                new Mute())) {
            EngineCache failing = EngineCache.create(
                    (url, settings) -> new TestSource(new SQLiteDataSource(), () -> {
                        throw sneaky(failure);
                    }),
                    EngineSettings.defaults());
            failing.engine(URL);
            assertThatThrownBy(() -> failing.evict(URL))
                    .isExactlyInstanceOf(EngineException.class)
                    .hasMessageContaining("Cannot close the engine for " + URL)
                    .cause()
                    .isSameAs(failure);
            assertThat(Thread.interrupted()).isEqualTo(failure instanceof InterruptedException);
            assertThat(inAnotherThread(() -> failing.evict(URL))).isFalse();
            assertThat(inAnotherThread(() -> failing.engine(URL)).isClosed()).isFalse();
            assertThat(failing.stats().evictions()).isZero();
        }
    }
}
