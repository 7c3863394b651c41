package dev.oneengine.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Threads that start at the same moment. A thread that does not end within the limit fails the test; the message shows
 * the stacks of all threads that still run. One thread at a time may use a race; the tasks must be thread-safe.
 */
public final class Race implements AutoCloseable {
    /** Far longer than any test needs, so only a hang reaches it. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<Thread> threads = new ArrayList<>();
    private final ExecutorService executor;

    private Race(int size) {
        executor = Executors.newFixedThreadPool(size, task -> {
            Thread thread = new Thread(task, "racer-" + threads.size());
            threads.add(thread);
            return thread;
        });
    }

    /** What one thread does. */
    @FunctionalInterface
    public interface Racer<T> {
        /**
         * Runs in a separate thread.
         *
         * @param index the number of the thread, from 0
         * @return the result for the test
         * @throws Exception to fail
         */
        T run(int index) throws Exception;
    }

    /** How one thread ended: with a result or with a failure. */
    public record Outcome<T>(@Nullable T result, @Nullable Throwable failure) {
        /** Returns the result, or fails the test with the failure of the thread. */
        public T get() {
            if (failure != null) {
                throw new AssertionError("A racer failed", failure);
            }
            return Objects.requireNonNull(result);
        }
    }

    /** Starts threads one by one, for tests that decide when each begins. */
    public static Race withThreads(int size) {
        return new Race(size);
    }

    /** Runs all threads at once and returns their results. A failure in any thread fails the test. */
    public static <T> List<T> run(int size, Racer<T> racer) {
        return outcomes(size, racer).stream().map(Outcome::get).toList();
    }

    /** Runs all threads at once and returns how each of them ended, in their order. */
    public static <T> List<Outcome<T>> outcomes(int size, Racer<T> racer) {
        CyclicBarrier start = new CyclicBarrier(size);
        try (Race race = new Race(size)) {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int index = i;
                futures.add(race.start(() -> {
                    start.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    return racer.run(index);
                }));
            }
            return futures.stream().map(race::outcome).toList();
        }
    }

    /** Starts one thread. */
    public <T> Future<T> start(Callable<T> task) {
        return executor.submit(task);
    }

    /** Waits for the end of a thread and returns its result. A failure of the thread fails the test. */
    public <T> T result(Future<T> future) {
        return outcome(future).get();
    }

    /** Waits for the end of a thread and returns how it ended. */
    public <T> Outcome<T> outcome(Future<T> future) {
        try {
            return new Outcome<>(future.get(LIMIT.toSeconds(), TimeUnit.SECONDS), null);
        } catch (ExecutionException e) {
            return new Outcome<>(null, e.getCause());
        } catch (TimeoutException e) {
            throw hanging(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("The test was interrupted", e);
        }
    }

    private AssertionError hanging(Exception cause) {
        AssertionError error = new AssertionError("A thread did not end within " + LIMIT, cause);
        for (Thread thread : threads) {
            Throwable stack = new Throwable(thread.getName() + " is " + thread.getState());
            stack.setStackTrace(thread.getStackTrace());
            error.addSuppressed(stack);
        }
        return error;
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw hanging(new TimeoutException());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("The test was interrupted", e);
        }
    }
}
