package dev.oneengine.migration;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to migrate one SQLite file: a lock of the operating system on a file beside it, which ends with the process that
 * holds it, however that ends. The file stays, empty: to remove it would take the lock from whoever has just opened it.
 *
 * <p>On POSIX systems a process loses all its locks on a file as soon as it closes any channel to it. So within this process
 * there is one channel to a file at a time, and threads of other engines wait before they open theirs.
 *
 * <p>Stateless and thread-safe but for that.
 */
final class MigrationLock {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationLock.class);

    /** What operating systems have no way to wait for with a limit. */
    private static final long POLL_MILLIS = 10;

    private static final Object LOCK = new Object();

    /** The databases that this process migrates, or waits for. */
    @GuardedBy("LOCK") private static final Set<Path> TAKEN = new HashSet<>();

    /** Channels that must not be closed, also not by the garbage collector. */
    @GuardedBy("LOCK") private static final List<Channel> KEPT = new ArrayList<>();

    private MigrationLock() {}

    static Path fileOf(Path database) {
        return database.resolveSibling(database.getFileName() + "-migration-lock");
    }

    /**
     * Waits until nobody else migrates a database, and works on it as the only one.
     *
     * @param lockTimeout how long to wait at most
     * @throws MigrationException if that was too short, or the lock cannot be had at all
     */
    static <T> T holding(Path database, Duration lockTimeout, Supplier<T> work) {
        long deadline = System.nanoTime() + Durations.nanos(lockTimeout);
        take(database, lockTimeout, deadline);
        try {
            FileLock lock = lock(database, lockTimeout, deadline);
            try {
                return work.get();
            } finally {
                close(lock.acquiredBy());
            }
        } finally {
            release(database);
        }
    }

    private static void take(Path database, Duration lockTimeout, long deadline) {
        synchronized (LOCK) {
            while (!TAKEN.add(database)) {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (millis <= 0) {
                    throw tooLong(database, lockTimeout, "another engine of this process");
                }
                try {
                    LOCK.wait(millis);
                } catch (InterruptedException e) {
                    throw interrupted(database, e);
                }
            }
        }
    }

    private static void release(Path database) {
        synchronized (LOCK) {
            TAKEN.remove(database);
            LOCK.notifyAll();
        }
    }

    private static FileLock lock(Path database, Duration lockTimeout, long deadline) {
        FileChannel channel = open(database);
        boolean close = true;
        try {
            for (boolean first = true; ; first = false) {
                try {
                    FileLock lock = channel.tryLock();
                    if (lock != null) {
                        close = false;
                        return lock;
                    }
                } catch (OverlappingFileLockException e) {
                    // This class, loaded a second time by another class loader, holds it, and would lose it if this
                    // channel were closed.
                    close = false;
                    keep(channel);
                }
                if (System.nanoTime() >= deadline) {
                    throw tooLong(database, lockTimeout, "another process");
                }
                if (first) {
                    LOG.info("Waiting for another process that migrates {}", database);
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            throw interrupted(database, e);
        } catch (IOException e) {
            throw new MigrationException(
                    "Cannot migrate " + database + ": locking " + fileOf(database) + " failed: " + e, e);
        } finally {
            if (close) {
                close(channel);
            }
        }
    }

    private static void keep(Channel channel) {
        synchronized (LOCK) {
            if (!KEPT.contains(channel)) {
                KEPT.add(channel);
            }
        }
    }

    private static FileChannel open(Path database) {
        Path file = fileOf(database);
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new MigrationException(
                    "Cannot migrate " + database + ": the lock that keeps other processes out cannot be made; let this "
                            + "user create " + file + " (" + e + ")",
                    e);
        }
    }

    private static MigrationException tooLong(Path database, Duration lockTimeout, String who) {
        return new MigrationException(
                "Cannot migrate " + database + ": " + who + " has been migrating it for more than " + lockTimeout
                        + "; wait for it, end it, or allow a longer lockTimeout",
                null);
    }

    private static MigrationException interrupted(Path database, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new MigrationException("Interrupted while waiting to migrate " + database, cause);
    }

    private static void close(Channel channel) {
        synchronized (LOCK) {
            KEPT.remove(channel);
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("The lock of a migration could not be closed", e);
        }
    }
}
