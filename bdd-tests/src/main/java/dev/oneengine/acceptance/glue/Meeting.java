package dev.oneengine.acceptance.glue;

import java.util.concurrent.CountDownLatch;

/** Where threads wait until all of them have come. Thread-safe. */
final class Meeting {
    private final CountDownLatch missing;

    Meeting(int size) {
        missing = new CountDownLatch(size);
    }

    /** Says that one of them has come. */
    void come() {
        missing.countDown();
    }

    /** Waits for the others. */
    void awaitAll() {
        Poll.until(() -> "one of the others has not come", () -> missing.getCount() == 0);
    }
}
