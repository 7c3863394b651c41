package dev.oneengine.acceptance.glue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread outside the cache that holds locks until the scenario is over. Thread-safe. */
final class ForeignLockHolder {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Worker<Boolean> worker;

    ForeignLockHolder(Crew crew, List<?> objects) {
        worker = crew.start("outsider", () -> hold(objects, this::awaitEnd));
        Poll.until(() -> "the locks are not to be had by " + worker, () -> held.getCount() == 0);
    }

    private static boolean hold(List<?> objects, Callable<Boolean> inside) throws Exception {
        if (objects.isEmpty()) {
            return inside.call();
        }
        synchronized (objects.get(0)) {
            return hold(objects.subList(1, objects.size()), inside);
        }
    }

    private boolean awaitEnd() throws InterruptedException {
        held.countDown();
        return over.await(Poll.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    Thread thread() {
        return worker.thread();
    }

    void letGo() {
        over.countDown();
    }
}
