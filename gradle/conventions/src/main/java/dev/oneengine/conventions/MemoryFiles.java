package dev.oneengine.conventions;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * Puts the temporary files of tests into memory if the machine has room there. PostgreSQL creates hundreds of files for each
 * database, which costs a disk's file system up to 20 times as much CPU time. Stateless and thread-safe.
 */
public final class MemoryFiles implements CommandLineArgumentProvider {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 2L << 30;

    /** Used by the build. */
    public MemoryFiles() {}

    /** The properties of the JVM; none of them is an input of a test. */
    @Override
    public Iterable<String> asArguments() {
        String usual = System.getProperty("java.io.tmpdir");
        return hasRoom()
                ? List.of(
                        "-Djava.io.tmpdir=" + MEMORY,
                        // Programs and libraries stay on the disk: some machines execute no file in memory.
                        "-Dorg.sqlite.tmpdir=" + usual,
                        "-Dot.epg.working-dir=" + Path.of(usual, "embedded-pg"))
                : List.of();
    }

    private static boolean hasRoom() {
        try {
            FileStore store = Files.getFileStore(MEMORY);
            return Files.isWritable(MEMORY) && store.type().equals("tmpfs") && store.getUsableSpace() > ROOM;
        } catch (IOException e) {
            return false; // there is no such directory
        }
    }
}
