package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.RemoteThread;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a scenario, what it has been asked to do, and what became of that. Thread-safe.
 *
 * @param <T> what it finds
 */
final class Worker<T extends @Nullable Object> {
    private final Thread thread;
    private final CompletableFuture<T> outcome = new CompletableFuture<>();

    /** Set by the thread itself when it has met the others and begins; until then its waiting means nothing. */
    private volatile boolean begun;

    private final ThreadWatch watch;

    /**
     * Makes a thread that is not started yet.
     *
     * @param gate what it waits at before it begins
     * @param remote finds the thread outside this JVM that runs its call
     */
    Worker(String name, Gate gate, Callable<T> task, Function<Thread, Optional<RemoteThread>> remote) {
        thread = new Thread(() -> run(gate, task), name);
        thread.setDaemon(true); // one that hangs must not keep the JVM alive
        watch = new ThreadWatch(thread, remote);
    }

    /** Where threads wait for each other. */
    @FunctionalInterface
    interface Gate {
        /** No gate at all. */
        Gate NONE = () -> {};

        void pass() throws Exception;
    }

    private void run(Gate gate, Callable<T> task) {
        try {
            gate.pass();
            begun = true;
            outcome.complete(task.call());
        } catch (Throwable t) {
            outcome.completeExceptionally(t);
        }
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    boolean isDone() {
        return outcome.isDone();
    }

    /** Looks at the thread; a thread that has not begun runs. It takes several looks to find that it waits. */
    Standing look() {
        Standing standing = watch.look();
        return begun ? standing : Standing.RUNS;
    }

    /** Whether it has been seen waiting for a moment. */
    boolean isWaiting() {
        return look().isAtLeast(Standing.WAITS);
    }

    /** Forgets where the thread has been seen before. */
    void lookAnew() {
        watch.lookAnew();
    }

    /** Whether the thread waits for a lock that another thread holds, or is stuck, whatever the reason. */
    boolean isKeptBy(Thread other) {
        return begun && watch.isKeptBy(other);
    }

    /** Waits for the end. */
    void awaitEnd() {
        awaitEndOr(() -> false);
    }

    /** Waits for the end, or until something else is so. */
    void awaitEndOr(Callable<Boolean> condition) {
        Poll.until(() -> "there is no end of " + this, () -> isDone() || condition.call());
    }

    /** Waits for the end and returns the result; a failure of the thread is the scenario's. */
    T result() {
        awaitEnd();
        Throwable failure = failure();
        if (failure != null) {
            throw new AssertionError("Thread " + thread.getName() + " failed: " + failure, failure);
        }
        return outcome.join();
    }

    /** Waits for the end and returns why the thread failed, or {@code null} if it did not. */
    @Nullable Throwable failure() {
        awaitEnd();
        try {
            outcome.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("thread " + thread.getName() + ", which is " + thread.getState());
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }
}
