package dev.oneengine.migration;

import dev.oneengine.testing.ChildJvm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A program that tries to lock a file. */
final class Locker {
    private Locker() {}

    /** Prints whether the lock was free. */
    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            System.out.println(lock == null ? "held" : "free");
        }
    }

    static boolean isFree(Path file) throws IOException, InterruptedException {
        return !ChildJvm.of(Locker.class, file.toString()).quick().run().contains("held");
    }
}
