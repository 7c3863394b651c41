package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PreparationTest {
    private final EngineCache cache = EngineCache.create(new CountingFactory(), EngineSettings.defaults());
    private final Engine engine = cache.engine("jdbc:sqlite:file:a?mode=memory");

    @AfterEach
    void close() {
        cache.close();
    }

    /** A step with a result. */
    private static <T> Preparation<T> step(String name, Race.Racer<T> work) {
        return new Preparation<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public T prepare(Engine engine) throws Exception {
                return work.run(0);
            }
        };
    }

    @Test
    void a_step_counts_as_done_only_after_it_has_succeeded() {
        Preparation<Boolean> failing = step("schema", n -> {
            throw new IOException("no");
        });
        Preparation<Boolean> good = step("schema", n -> {
            assertThat(engine.isPrepared(step("schema", m -> true))).isFalse();
            return true;
        });
        assertThat(engine.isPrepared(good)).isFalse();
        assertThatThrownBy(() -> engine.prepare(failing)).isInstanceOf(PreparationException.class);
        assertThat(engine.isPrepared(good)).isFalse();
        engine.prepare(good);
        assertThat(engine.isPrepared(good)).isTrue();
        assertThat(engine.isPrepared(failing)).isTrue(); // the same step, because it has the same name
        assertThat(engine.isPrepared(step("other", n -> true))).isFalse();
    }

    @RepeatedTest(50)
    void racing_threads_run_a_step_once() {
        AtomicInteger done = new AtomicInteger();
        List<Object> results = Race.run(
                16,
                i -> engine.prepare(step("schema", n -> {
                    done.incrementAndGet();
                    return new Object();
                })));

        assertThat(done).hasValue(1);
        assertThat(results).allSatisfy(result -> assertThat(result).isSameAs(results.get(0)));
    }

    @Test
    void a_step_receives_its_engine() {
        AtomicReference<Engine> prepared = new AtomicReference<>();
        assertThat(engine.prepare(Preparation.of("schema", prepared::set))).isTrue();
        assertThat(engine.prepare(Preparation.of("schema", e -> prepared.set(null))))
                .isTrue();
        assertThat(prepared).hasValue(engine);
    }

    @Test
    void a_step_runs_once_for_each_engine() {
        AtomicInteger done = new AtomicInteger();
        Preparation<Boolean> step = Preparation.of("schema", e -> done.incrementAndGet());

        engine.prepare(step);
        cache.engine("jdbc:sqlite:file:b?mode=memory").prepare(step);
        engine.close();
        cache.engine("jdbc:sqlite:file:a?mode=memory").prepare(step);

        assertThat(done).hasValue(3);
    }

    @Test
    void a_failure_reaches_all_waiting_callers_and_the_next_call_retries() throws InterruptedException {
        IOException cause = new IOException("no such script");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Preparation<Integer> step = step("schema", n -> {
            if (attempts.incrementAndGet() == 1) {
                begun.countDown();
                assertThat(mayFail.await(60, TimeUnit.SECONDS)).isTrue();
                throw cause;
            }
            return attempts.get();
        });
        try (Race race = Race.withThreads(4)) {
            List<Future<Integer>> callers = new ArrayList<>();
            callers.add(race.start(() -> engine.prepare(step)));
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            List<Thread> waiters = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 3; i++) {
                callers.add(race.start(() -> {
                    waiters.add(Thread.currentThread());
                    return engine.prepare(step);
                }));
            }
            await().until(() -> waiters.size() == 3
                    && waiters.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));

            mayFail.countDown();

            List<Throwable> failures = new ArrayList<>();
            for (Future<Integer> caller : callers) {
                Outcome<Integer> outcome = race.outcome(caller);
                assertThat(outcome.failure())
                        .isExactlyInstanceOf(PreparationException.class)
                        .hasMessageContainingAll("schema", engine.url().toString(), "no such script")
                        .hasCause(cause);
                failures.add(outcome.failure());
            }
            assertThat(failures).doesNotHaveDuplicates();
        }
        assertThat(engine.prepare(step)).isEqualTo(2);
    }

    @Test
    void steps_of_one_engine_run_one_after_the_other() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Race.run(
                8,
                i -> engine.prepare(step("step " + i % 4, n -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    return running.decrementAndGet();
                })));
        assertThat(most).hasValue(1);
    }

    @Test
    void a_step_may_prepare_another_step() {
        List<String> order = new ArrayList<>();
        Preparation<Boolean> first = Preparation.of("first", e -> order.add("first"));
        Preparation<Boolean> second = Preparation.of("second", e -> {
            e.prepare(first);
            order.add("second");
        });

        engine.prepare(second);
        engine.prepare(first);

        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void a_step_that_prepares_itself_fails_at_once() {
        AtomicReference<Preparation<Boolean>> self = new AtomicReference<>();
        self.set(Preparation.of("schema", e -> e.prepare(self.get())));

        assertThatThrownBy(() -> engine.prepare(self.get()))
                .isInstanceOf(PreparationException.class)
                .hasMessageContainingAll("schema", "wait for itself");
    }

    @RepeatedTest(20)
    void engines_whose_steps_need_each_other_fail_with_a_deadlock() {
        Engine other = cache.engine("jdbc:sqlite:file:b?mode=memory");
        CyclicBarrier both = new CyclicBarrier(2);
        List<Outcome<Boolean>> outcomes = Race.outcomes(2, i -> {
            Engine mine = i == 0 ? engine : other;
            Engine theirs = i == 0 ? other : engine;
            return mine.prepare(Preparation.of("schema", e -> {
                both.await(60, TimeUnit.SECONDS);
                theirs.prepare(Preparation.of("schema", x -> {}));
            }));
        });

        assertThat(outcomes)
                .anySatisfy(outcome -> assertThat(outcome.failure())
                        .isInstanceOf(PreparationException.class)
                        .hasMessageContainingAll("Deadlock", "file:a", "file:b"));
    }

    @Test
    void a_closed_engine_rejects_a_preparation() {
        engine.close();
        assertThatThrownBy(() -> engine.prepare(Preparation.of("schema", e -> {})))
                .isInstanceOf(EngineClosedException.class)
                .hasMessageContaining(engine.url().toString());
    }

    @Test
    void another_step_waits_for_the_running_step() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        try (EngineCache own = EngineCache.create();
                Race race = Race.withThreads(2)) {
            Engine engine = own.engine("sqlite:///:memory:");
            Future<Boolean> first = race.start(() -> engine.prepare(Preparation.of("first", e -> {
                running.countDown();
                goOn.await();
                done.add("first");
            })));
            running.await();
            Future<Boolean> second = race.start(() -> {
                waiter.set(Thread.currentThread());
                return engine.prepare(Preparation.of("second", e -> done.add("second")));
            });
            await().until(() -> waiter.get() != null && waiter.get().getState() == Thread.State.WAITING);
            goOn.countDown();

            assertThat(race.result(first) && race.result(second)).isTrue();
        }
        assertThat(done).containsExactly("first", "second");
    }
}
