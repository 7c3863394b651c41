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
 * A lock that lets one process and one thread at a time migrate an SQLite file. It is a lock of the operating system on a file beside
 * the database, so it ends with its process, even if that is killed. The file is never deleted: a process that has just opened it would
 * lock a file that no other process sees.
 *
 * <p>On POSIX systems, a process loses all its locks on a file when it closes any channel to that file. So this process has one channel
 * to a file at a time, and other threads wait before they open theirs.
 *
 * <p>Thread-safe; the only state is static and guarded by {@code LOCK}.
 */
final class MigrationFileLock {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationFileLock.class);

    /** The interval of attempts. Operating systems offer no wait with a timeout for a file lock. */
    private static final long POLL_MILLIS = 10;

    private static final Object LOCK = new Object();

    /** The databases whose lock a thread of this process has or waits for. */
    @GuardedBy("LOCK") private static final Set<Path> TAKEN = new HashSet<>();

    /** Channels that neither this class nor the garbage collector may close now. */
    @GuardedBy("LOCK") private static final List<Channel> KEPT = new ArrayList<>();

    private MigrationFileLock() {}

    static Path fileOf(Path database) {
        return database.resolveSibling(database.getFileName() + "-migration-lock");
    }

    /**
     * Waits for the lock of a database and holds it during some work.
     *
     * @param lockTimeout the longest wait
     * @throws MigrationException if the wait times out, or the operating system fails
     */
    static <T> T holding(Path database, Duration lockTimeout, Supplier<T> work) {
        long deadline = System.nanoTime() + lockTimeout.toNanos();
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
                    throw timeout(database, lockTimeout, "another engine of this process");
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
                    // The lock belongs to a copy of this class in another class loader. Closing this channel would end
                    // that lock.
                    close = false;
                    keep(channel);
                }
                if (System.nanoTime() >= deadline) {
                    throw timeout(database, lockTimeout, "another process");
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
                    "Cannot migrate " + database + ": cannot lock " + fileOf(database) + ": " + e, e);
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
                    "Cannot migrate " + database
                            + ": cannot open the lock file for other processes; let this user create " + file + " (" + e
                            + ")",
                    e);
        }
    }

    private static MigrationException timeout(Path database, Duration lockTimeout, String holder) {
        return new MigrationException(
                "Cannot migrate " + database + ": " + holder + " has been migrating it for more than " + lockTimeout
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
            LOG.warn("Cannot close the lock file of a migration", e);
        }
    }
}
