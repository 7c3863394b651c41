package dev.oneengine.acceptance.glue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a scenario, what it has been asked to do, and what became of that. Thread-safe.
 *
 * @param <T> what it finds
 */
final class Worker<T extends @Nullable Object> {
    /** So often, and for so long, a thread must be seen at the same place before it counts as waiting there. */
    private static final int LOOKS = 5;

    private static final Duration A_MOMENT = Duration.ofMillis(40);

    /** Much longer than a thread waits for anything that is not held back by the scenario. */
    private static final Duration LONG = Duration.ofSeconds(3);

    /** Longer than any thread waits while all others wait as well. */
    private static final Duration FOR_EVER = Duration.ofSeconds(5);

    private final Thread thread;
    private final CompletableFuture<T> outcome = new CompletableFuture<>();

    /** Set by the thread itself when it has met the others and begins; until then its waiting means nothing. */
    private volatile boolean begun;

    private final Object lock = new Object();

    // What was seen of the thread at the last looks; guarded by the lock.
    private StackTraceElement @Nullable [] place;
    private long since;
    private int looks;

    /**
     * Makes a thread that is not started yet.
     *
     * @param gate what it waits at before it begins
     */
    Worker(String name, Gate gate, Callable<T> task) {
        thread = new Thread(() -> run(gate, task), name);
        thread.setDaemon(true); // one that hangs must not keep the JVM alive
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

    /** Whether the thread waits: it has begun, and has been seen waiting at one place for a moment. */
    boolean isWaiting() {
        return isAtOnePlaceFor(A_MOMENT, false);
    }

    /** Whether it waits for so long that it must be for something which the scenario holds back. */
    boolean isStuck() {
        return isAtOnePlaceFor(LONG, false);
    }

    /** Whether it has waited without a limit for so long that it waits for ever if no other thread runs. */
    boolean hangs() {
        Thread.State state = thread.getState();
        boolean unlimited = state == Thread.State.BLOCKED || state == Thread.State.WAITING;
        return isAtOnePlaceFor(FOR_EVER, false) && unlimited;
    }

    /** Whether it waits, or is in a native method for so long that it seems to wait there, as for the lock of a database. */
    boolean isStill() {
        return isAtOnePlaceFor(A_MOMENT, true);
    }

    /** Forgets where the thread has been seen before. */
    void lookAnew() {
        synchronized (lock) {
            place = null;
        }
    }

    private boolean isAtOnePlaceFor(Duration time, boolean nativeToo) {
        boolean waits = isWaiting(thread.getState());
        StackTraceElement[] now = thread.getStackTrace();
        boolean still = begun && (waits || (nativeToo && isNative(now))) && !isLoadingClasses(now);
        synchronized (lock) {
            if (!still || !Arrays.equals(now, place)) {
                place = still ? now : null;
                since = System.nanoTime();
                looks = 0;
                return false;
            }
            looks++;
            return looks >= LOOKS && System.nanoTime() - since >= time.toNanos();
        }
    }

    private static boolean isNative(StackTraceElement[] stack) {
        return stack.length > 0 && stack[0].isNativeMethod();
    }

    private static boolean isLoadingClasses(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(element -> element.getClassName().equals(ClassLoader.class.getName()));
    }

    private static boolean isWaiting(Thread.State state) {
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** Whether the thread waits for a lock that another one holds, or is stuck, for whatever that other one does. */
    boolean isKeptBy(Thread other) {
        // For a moment at least, as the other one may be about to let go.
        return (isOwnedBy(other) && isWaiting()) || isStuck();
    }

    private boolean isOwnedBy(Thread other) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info != null && info.getLockOwnerId() == other.getId();
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
