package dev.oneengine.migration;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** A program that tries to lock a file. */
final class Locker {
    private Locker() {}

    /** Returns by its exit code whether the lock was free. */
    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            System.exit(lock == null ? 1 : 0);
        }
    }

    static boolean isFree(Path file) throws IOException, InterruptedException {
        Process process = Jvm.start(Locker.class, file.toString());
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("The other process hangs");
        }
        return process.exitValue() == 0;
    }
}
