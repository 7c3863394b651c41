package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.RemoteThread;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The threads of a scenario. Thread-safe. */
final class Crew {
    private final List<Worker<?>> workers = new CopyOnWriteArrayList<>();
    private final Function<Thread, Optional<RemoteThread>> remote;
    private final Story story;
    private final Object lock = new Object();

    // Guarded by the lock: the numbers of threads at the last look, and the time since which they have not changed and
    // all threads have waited.
    private Count last = new Count(0, 0);
    private long since;

    /** The number of threads that have started, and of those that have not ended. */
    private record Count(int started, int left) {}

    /**
     * Creates a crew without threads.
     *
     * @param remote finds the threads outside this JVM that run the calls
     * @param story records where threads wait
     */
    Crew(Function<Thread, Optional<RemoteThread>> remote, Story story) {
        this.remote = remote;
        this.story = story;
    }

    /** The work of each of several threads. */
    @FunctionalInterface
    interface Racer<T extends @Nullable Object> {
        T run(int index) throws Exception;
    }

    /** Starts one thread. */
    <T extends @Nullable Object> Worker<T> start(String name, Callable<T> task) {
        return start(name, worker -> {}, task);
    }

    /**
     * Starts one thread.
     *
     * @param before receives the thread before it starts
     */
    <T extends @Nullable Object> Worker<T> start(String name, Consumer<Worker<T>> before, Callable<T> task) {
        Worker<T> worker = new Worker<>(name, Worker.Gate.NONE, task, remote, story);
        workers.add(worker);
        before.accept(worker);
        worker.start();
        return worker;
    }

    /**
     * Lets threads begin at the same moment and waits for the end of all.
     *
     * @param before receives the threads before they start
     */
    <T extends @Nullable Object> List<Worker<T>> race(int size, Consumer<List<Worker<T>>> before, Racer<T> racer) {
        CyclicBarrier start = new CyclicBarrier(size);
        List<Worker<T>> racers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int index = i;
            racers.add(new Worker<>(
                    "racer " + (index + 1),
                    () -> start.await(Poll.LIMIT.toSeconds(), TimeUnit.SECONDS),
                    () -> racer.run(index),
                    remote,
                    story));
        }
        workers.addAll(racers);
        before.accept(racers);
        racers.forEach(Worker::start);
        awaitEnd(racers);
        return racers;
    }

    /** Returns the worker of a thread, or {@code null} if the thread is not in the crew. */
    @Nullable Worker<?> of(Thread thread) {
        for (Worker<?> worker : workers) {
            if (worker.thread() == thread) {
                return worker;
            }
        }
        return null;
    }

    /** Waits until every thread has ended. Fails if the remaining threads hang. */
    void awaitEnd() {
        awaitEnd(workers);
    }

    private void awaitEnd(List<? extends Worker<?>> awaited) {
        Poll.until(() -> "not all have ended: " + awaited, () -> haveEnded(awaited) || allHang());
        if (!haveEnded(awaited)) {
            throw Expect.failure(
                    "These threads wait for ever, as no other thread runs: "
                            + awaited.stream()
                                    .filter(worker -> !worker.isDone())
                                    .toList(),
                    null);
        }
    }

    private static boolean haveEnded(List<? extends Worker<?>> workers) {
        return workers.stream().allMatch(Worker::isDone);
    }

    /**
     * Whether all threads have waited together for so long that none of them can go on. Whenever a thread runs or ends, the time begins
     * again: the thread may have released another one.
     */
    private boolean allHang() {
        List<Worker<?>> left =
                workers.stream().filter(worker -> !worker.isDone()).toList();
        Count count = new Count(workers.size(), left.size());
        // Looks at all of them every time, because it takes several looks to find that a thread waits.
        List<Standing> standings = left.stream().map(Worker::look).toList();
        long now = System.nanoTime();
        synchronized (lock) {
            if (!count.equals(last) || !standings.stream().allMatch(standing -> standing.isAtLeast(Standing.WAITS))) {
                last = count;
                since = now;
            }
            return now - since >= ThreadWatch.FOR_EVER.toNanos()
                    && standings.stream().allMatch(standing -> standing == Standing.HANGS);
        }
    }
}
