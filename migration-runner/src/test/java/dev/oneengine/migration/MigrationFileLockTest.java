package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationFileLockTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private Path database;

    @BeforeEach
    void name() {
        database = directory.resolve("test.db");
    }

    @Test
    void one_thread_at_a_time_holds_the_lock() {
        AtomicInteger inside = new AtomicInteger();
        List<Integer> most = Race.run(
                8,
                index -> MigrationFileLock.holding(database, LONG, () -> {
                    int now = inside.incrementAndGet();
                    for (int i = 0; i < 100_000; i++) {
                        Thread.onSpinWait();
                    }
                    inside.decrementAndGet();
                    return now;
                }));

        assertThat(most).containsOnly(1);
    }

    @Test
    void locks_of_different_databases_do_not_wait_for_each_other() {
        String within = MigrationFileLock.holding(
                database, LONG, () -> MigrationFileLock.holding(directory.resolve("other.db"), LONG, () -> "both"));

        assertThat(within).isEqualTo("both");
    }

    @Test
    void a_failure_releases_the_lock() {
        assertThatThrownBy(() -> MigrationFileLock.holding(database, LONG, () -> {
                    throw new IllegalStateException("failed");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(MigrationFileLock.holding(database, Duration.ZERO, () -> "free"))
                .isEqualTo("free");
    }

    @Test
    void the_timeout_limits_the_wait_for_another_thread() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        try (Race race = Race.withThreads(1)) {
            Future<String> holder = race.start(() -> MigrationFileLock.holding(database, LONG, () -> {
                held.countDown();
                return awaited(enough);
            }));
            held.await();

            assertThatThrownBy(() -> MigrationFileLock.holding(database, Duration.ofMillis(20), () -> "mine"))
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("another engine of this process")
                    .hasMessageContaining(database.toString())
                    .hasMessageContaining("PT0.02S");
            enough.countDown();
            assertThat(race.result(holder)).isEqualTo("awaited");
        }
        assertThat(MigrationFileLock.holding(database, Duration.ZERO, () -> "free"))
                .isEqualTo("free");
    }

    private static String awaited(CountDownLatch latch) {
        try {
            latch.await();
            return "awaited";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * A channel of the test imitates a copy of {@link MigrationFileLock} in another class loader: both are in one process
     * and share only the lock.
     */
    @Test
    void a_wait_that_times_out_does_not_release_the_lock_of_another_class_loader() throws Exception {
        Path file = MigrationFileLock.fileOf(database);
        try (FileChannel stranger = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = stranger.lock()) {
            assertThatThrownBy(() -> MigrationFileLock.holding(database, Duration.ofMillis(20), () -> "mine"))
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("another process");

            assertThat(lock.isValid()).isTrue();
            assertThat(Locker.isFree(file)).as("free for another process").isFalse();
        }
        assertThat(MigrationFileLock.holding(database, LONG, () -> "free")).isEqualTo("free");
    }

    /** The garbage collector would close the channel of the waiter, and with it the lock of the other class loader. */
    @Test
    void collecting_a_timed_out_wait_does_not_release_the_lock_of_another_class_loader() throws Exception {
        Path file = MigrationFileLock.fileOf(database);
        try (FileChannel stranger = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = stranger.lock()) {
            assertThatThrownBy(() -> MigrationFileLock.holding(database, Duration.ofMillis(20), () -> "mine"))
                    .isInstanceOf(MigrationException.class);
            WeakReference<FileChannel> garbage = openWithoutClose(directory.resolve("garbage"));
            await().pollInSameThread().until(() -> {
                System.gc();
                return garbage.refersTo(null);
            });

            assertThat(lock.isValid()).isTrue();
            assertThat(Locker.isFree(file)).as("free for another process").isFalse();
        }
    }

    private static WeakReference<FileChannel> openWithoutClose(Path file) throws IOException {
        return new WeakReference<>(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    @Test
    void an_interrupt_ends_the_wait_for_the_lock() throws Exception {
        waitAndInterrupt(() -> {
            try (FileChannel stranger = FileChannel.open(
                            MigrationFileLock.fileOf(database), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = stranger.lock()) {
                return interruptedOutcome() + lock.isShared();
            }
        });
        MigrationFileLock.holding(database, LONG, this::interruptedOutcome);
    }

    private static void waitAndInterrupt(java.util.concurrent.Callable<String> test) throws Exception {
        assertThat(test.call()).isEqualTo("interruptedfalse");
    }

    private String interruptedOutcome() {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        try (Race race = Race.withThreads(1)) {
            Future<Boolean> waiting = race.start(() -> {
                waiter.set(Thread.currentThread());
                assertThatThrownBy(() -> MigrationFileLock.holding(database, LONG, () -> "mine"))
                        .isInstanceOf(MigrationException.class)
                        .hasMessageContaining("Interrupted while waiting to migrate");
                return Thread.interrupted();
            });
            await().until(() -> waiter.get() != null && waiter.get().getState() == Thread.State.TIMED_WAITING);
            waiter.get().interrupt();
            Outcome<Boolean> outcome = race.outcome(waiting);
            assertThat(outcome.get()).as("the interrupt is preserved").isTrue();
        }
        return "interrupted";
    }

    @Test
    void a_lock_file_in_a_missing_folder_fails_with_a_remedy() throws Exception {
        Path nowhere = directory.resolve("missing").resolve("test.db");

        assertThatThrownBy(() -> MigrationFileLock.holding(nowhere, LONG, () -> "mine"))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("let this user create " + MigrationFileLock.fileOf(nowhere));
        assertThat(Files.exists(nowhere.getParent())).isFalse();
        assertThat(new ArrayList<>(
                        List.of(MigrationFileLock.fileOf(database).getFileName().toString())))
                .containsExactly("test.db-migration-lock");
    }
}
