package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** A thread outside the cache that holds locks until the scenario is over. Confined to the thread of the scenario. */
final class ForeignLockHolder {
    private final Crew crew;
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Worker<Boolean> worker;

    ForeignLockHolder(Crew crew) {
        this.crew = crew;
    }

    /** Holds the monitors of a URL, of the objects with these identities, and of their classes. */
    void hold(String url, Identity... identities) {
        List<Object> objects = new ArrayList<>(List.of(url, url.intern()));
        for (Identity identity : identities) {
            Object object = identity.object()
                    .orElseThrow(
                            () -> new TestAbortedException(identity + " is outside this JVM and has no lock here"));
            objects.add(object);
            objects.add(object.getClass());
        }
        Worker<Boolean> started = crew.start("outsider", () -> hold(objects, this::awaitEnd));
        worker = started;
        Poll.until(() -> "the locks are not free for " + started, () -> held.getCount() == 0);
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
        return Objects.requireNonNull(worker, "no step has made another thread hold locks")
                .thread();
    }

    /** Releases the monitors. Does nothing if no thread holds them. */
    void letGo() {
        over.countDown();
    }
}
