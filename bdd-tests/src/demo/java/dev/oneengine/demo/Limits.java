package dev.oneengine.demo;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits with a time limit. Stateless and thread-safe. */
final class Limits {
    /** Far longer than any step takes, so only a hang reaches it. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private Limits() {}

    static void await(CountDownLatch latch, String what) throws InterruptedException, TimeoutException {
        if (!latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException("Did not happen within " + LIMIT.toSeconds() + " s: " + what);
        }
    }

    static void await(CyclicBarrier barrier) throws InterruptedException, TimeoutException, BrokenBarrierException {
        barrier.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    static <T> T get(Future<T> future) throws InterruptedException, TimeoutException, ExecutionException {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
