package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.RemoteThread;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a scenario, with its task and the outcome. Thread-safe.
 *
 * @param <T> the result of the task
 */
final class Worker<T extends @Nullable Object> {
    private final Thread thread;
    private final CompletableFuture<T> outcome = new CompletableFuture<>();

    /** Set by the thread itself when all threads have arrived and it begins. Until then, a wait of this thread means nothing. */
    private volatile boolean begun;

    private final ThreadWatch watch;
    private final Story story;
    private final AtomicBoolean waitRecorded = new AtomicBoolean();

    /**
     * Creates a thread, but does not start it.
     *
     * @param gate the place where it waits before it begins
     * @param remote finds the thread outside this JVM that runs its call
     * @param story records where the thread waits
     */
    Worker(String name, Gate gate, Callable<T> task, Function<Thread, Optional<RemoteThread>> remote, Story story) {
        this.story = story;
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

    /** The name of the thread, such as "thread A" or "racer 1". */
    String name() {
        return Story.name(thread.getName());
    }

    Thread thread() {
        return thread;
    }

    boolean isDone() {
        return outcome.isDone();
    }

    /** Looks at the thread; a thread that has not begun runs. It takes several looks to find that it waits. */
    Standing look() {
        Standing standing = begun ? watch.look() : Standing.RUNS;
        if (!standing.isAtLeast(Standing.WAITS)) {
            waitRecorded.set(false);
        } else if (waitRecorded.compareAndSet(false, true)) {
            watch.place().ifPresent(place -> story.add(thread, Story.Kind.WAIT, "waits in " + place));
        }
        return standing;
    }

    /** Whether the thread has been waiting for a moment. */
    boolean isWaiting() {
        return look().isAtLeast(Standing.WAITS);
    }

    /** Discards all earlier observations of the thread. */
    void lookAnew() {
        watch.lookAnew();
    }

    /** Whether the thread waits for a lock that the other thread holds, or is stuck for any reason. */
    boolean isBlockedBy(Thread other) {
        return watch.isBlockedBy(other, look());
    }

    /** Waits for the end. */
    void awaitEnd() {
        awaitEndOr(() -> false);
    }

    /** Waits for the end, or until the condition holds. */
    void awaitEndOr(Callable<Boolean> condition) {
        Poll.until(() -> "there is no end of " + this, () -> isDone() || condition.call());
    }

    /** Waits for the end and returns the result. Fails the scenario if the thread has failed. */
    T result() {
        awaitEnd();
        Throwable failure = failure();
        if (failure != null) {
            throw Expect.failure(name() + " failed: " + failure, failure);
        }
        return outcome.join();
    }

    /** Waits for the end and returns the failure of the thread, or {@code null}. */
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
        StringBuilder text = new StringBuilder(name() + ", which is " + thread.getState());
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }
}
