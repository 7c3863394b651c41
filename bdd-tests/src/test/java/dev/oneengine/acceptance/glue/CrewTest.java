package dev.oneengine.acceptance.glue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.acceptance.RemoteThread;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrewTest {
    private final Crew crew = new Crew(thread -> Optional.empty(), new Story());
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void a_poll_that_times_out_fails_with_a_description() {
        assertThatThrownBy(() -> Poll.until(Duration.ofSeconds(1), () -> "no thread has arrived", () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessage("After 1 s: no thread has arrived");
    }

    @Test
    void a_thread_at_a_standstill_counts_as_waiting() {
        Worker<Boolean> worker = crew.start("A", this::awaitEnd);
        await().until(worker::isWaiting);
        assertThat(worker.toString())
                .startsWith("thread A, which is WAITING")
                .contains("\n    at ", "CrewTest.awaitEnd");
        end.countDown();
        assertThat(worker.result()).isTrue();
        assertThat(worker.isWaiting()).isFalse();
    }

    private boolean awaitEnd() throws InterruptedException {
        end.await();
        return true;
    }

    @Test
    void a_running_thread_does_not_count_as_waiting() {
        Worker<Boolean> worker = crew.start("A", () -> {
            while (end.getCount() > 0) {
                Thread.onSpinWait();
            }
            return true;
        });
        for (int look = 0; look < 100; look++) {
            assertThat(worker.isWaiting()).isFalse();
            assertThat(worker.look().isAtLeast(Standing.IN_NATIVE_METHOD)).isFalse();
        }
        end.countDown();
        crew.awaitEnd();
    }

    @Test
    void a_thread_that_has_not_started_does_not_count_as_waiting() {
        CountDownLatch gate = new CountDownLatch(1);
        Worker<Boolean> worker = new Worker<>("A", gate::await, () -> true, thread -> Optional.empty(), new Story());
        worker.start();
        await().until(() -> worker.thread().getState() == Thread.State.WAITING);
        for (int look = 0; look < 100; look++) {
            assertThat(worker.isWaiting()).isFalse();
        }
        gate.countDown();
        assertThat(worker.result()).isTrue();
    }

    @Test
    void a_thread_that_loads_classes_does_not_count_as_waiting() {
        CountDownLatch loading = new CountDownLatch(1);
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                loading.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new ClassNotFoundException(name);
            }
        };
        Worker<Class<?>> worker = crew.start("A", () -> loader.loadClass("no.such.Type"));
        await().until(() -> loading.getCount() == 0 && worker.thread().getState() == Thread.State.WAITING);
        for (int look = 0; look < 100; look++) {
            assertThat(worker.isWaiting()).isFalse();
        }
        end.countDown();
        assertThat(worker.failure()).isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(worker::result)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("thread A failed: java.lang.ClassNotFoundException");
    }

    @Test
    void a_thread_that_waits_in_a_native_method_is_recognised() throws IOException {
        Worker<Socket> worker;
        try (ServerSocket socket = new ServerSocket(0)) {
            worker = crew.start("A", socket::accept);
            await().until(() -> worker.look().isAtLeast(Standing.IN_NATIVE_METHOD));
            assertThat(worker.isWaiting()).isFalse();
            worker.lookAnew();
            assertThat(worker.look().isAtLeast(Standing.IN_NATIVE_METHOD)).isFalse();
        }
        assertThat(worker.failure()).isInstanceOf(IOException.class);
        await().until(() -> !worker.thread().isAlive());
        assertThat(worker.look().isAtLeast(Standing.IN_NATIVE_METHOD)).isFalse();
    }

    @Test
    void a_thread_that_waits_with_a_time_limit_does_not_count_as_hanging() {
        Worker<Boolean> limited = crew.start("A", () -> end.await(50, TimeUnit.SECONDS));
        await().until(limited::isWaiting);
        Worker<Boolean> unlimited = crew.start("B", this::awaitEnd);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            limited.look();
            return unlimited.look() == Standing.HANGS;
        });
        assertThat(limited.look()).isEqualTo(Standing.STUCK);
        end.countDown();
        assertThat(limited.result()).isTrue();
        assertThat(unlimited.result()).isTrue();
    }

    @Test
    void an_ended_thread_does_not_count_as_waiting_for_another() throws InterruptedException {
        Thread thread = new Thread(() -> {});
        thread.start();
        thread.join();
        ThreadWatch watch = new ThreadWatch(thread, any -> Optional.empty());
        assertThat(watch.isBlockedBy(Thread.currentThread(), Standing.WAITS)).isFalse();
        assertThat(watch.isBlockedBy(Thread.currentThread(), Standing.STUCK)).isTrue();
    }

    @Test
    void a_thread_of_a_driver_waits_at_the_place_that_the_driver_reports() {
        AtomicReference<RemoteThread> there = new AtomicReference<>(new RemoteThread(false, "cache.py:1"));
        ThreadWatch watch = new ThreadWatch(Thread.currentThread(), any -> Optional.of(there.get()));
        assertThat(watch.look()).isEqualTo(Standing.RUNS);
        assertThat(watch.place()).isEmpty();
        there.set(new RemoteThread(true, "cache.py:45"));
        await().until(() -> watch.look() == Standing.WAITS);
        assertThat(watch.place()).contains("cache.py:45");
        there.set(new RemoteThread(true, "cache.py:50"));
        assertThat(watch.look()).as("elsewhere").isEqualTo(Standing.RUNS);
        there.set(new RemoteThread(false, "cache.py:50"));
        assertThat(watch.look()).isEqualTo(Standing.RUNS);
    }

    @Test
    void a_thread_that_needs_a_lock_counts_as_waiting_for_its_holder() {
        Object lock = new Object();
        Thread holder = Thread.currentThread();
        Worker<Boolean> worker;
        synchronized (lock) {
            worker = crew.start("A", () -> {
                synchronized (lock) {
                    return true;
                }
            });
            await().until(() -> worker.thread().getState() == Thread.State.BLOCKED);
            assertThat(worker.isBlockedBy(holder))
                    .as("waiting at the first look")
                    .isFalse();
            await().until(() -> worker.isBlockedBy(holder));
            assertThat(worker.isBlockedBy(new Thread())).isFalse();
            assertThat(worker.isWaiting()).isTrue();
        }
        assertThat(worker.result()).isTrue();
        await().until(() -> !worker.thread().isAlive());
        assertThat(worker.isBlockedBy(holder)).isFalse();
    }

    @Test
    void the_text_of_a_failure_includes_causes_and_suppressed_exceptions() {
        Exception failure = new IllegalStateException("outer", new IOException("inner"));
        failure.getCause().addSuppressed(new IOException("beside"));
        assertThat(Failures.text(failure)).contains("outer", "inner", "beside");
        assertThat(Failures.text(null)).isEmpty();
    }

    @Test
    void a_race_whose_threads_wait_for_ever_fails_before_the_time_limit() {
        List<Worker<Boolean>> racers = new ArrayList<>();
        assertThatThrownBy(() -> crew.race(2, racers::addAll, index -> awaitEnd()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("These threads wait for ever", "racer 1", "racer 2");
        end.countDown();
        assertThat(racers.stream().map(Worker::result)).containsExactly(true, true);
    }

    @Test
    void a_thread_that_was_just_released_does_not_count_as_waiting_for_ever() {
        AtomicReference<@Nullable Worker<Boolean>> releasing = new AtomicReference<>();
        AtomicInteger looks = new AtomicInteger();
        // After its release, the thread is slow to continue: 20 more looks find it at the same place.
        Crew slow = new Crew(
                thread -> {
                    Worker<Boolean> other = releasing.get();
                    if (!thread.getName().equals("released")) {
                        return Optional.empty();
                    }
                    if (other != null && other.isDone() && looks.incrementAndGet() == 20) {
                        end.countDown();
                    }
                    return Optional.of(new RemoteThread(end.getCount() > 0, "cache.py:1"));
                },
                new Story());
        CountDownLatch release = new CountDownLatch(1);
        Worker<Boolean> first = slow.start("releasing", () -> release.await(50, TimeUnit.SECONDS));
        Worker<Boolean> released = slow.start("released", this::awaitEnd);
        releasing.set(first);
        await().atMost(Duration.ofSeconds(30)).until(() -> released.look() == Standing.HANGS);
        release.countDown();
        first.awaitEnd();

        slow.awaitEnd();

        assertThat(released.isDone()).isTrue();
    }

    @Test
    void a_worker_is_registered_before_its_thread_starts() {
        List<Thread.State> states = new ArrayList<>();
        Worker<Boolean> worker =
                crew.start("A", expected -> states.add(expected.thread().getState()), () -> true);
        assertThat(worker.result()).isTrue();
        assertThat(states).containsExactly(Thread.State.NEW);
    }

    @Test
    void a_race_ends_when_all_its_threads_have_ended() {
        List<Worker<Integer>> racers = crew.race(3, all -> assertThat(all).hasSize(3), index -> index);
        assertThat(racers).allSatisfy(racer -> assertThat(racer.isDone()).isTrue());
        assertThat(racers.stream().map(Worker::result)).containsExactly(0, 1, 2);
        assertThat(crew.of(Thread.currentThread())).isNull();
    }
}
