package dev.oneengine.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;

/** Visits and reads files. Stateless and thread-safe. */
final class FileTree {
    /** Scripts and their folders may be links, as in volumes of Kubernetes. */
    private static final Set<FileVisitOption> FOLLOWING_LINKS = EnumSet.of(FileVisitOption.FOLLOW_LINKS);

    private FileTree() {}

    /**
     * Visits all files below a root.
     *
     * @return whether the root exists; if not, Flyway reports it if it is an error
     */
    static boolean walk(Path root, FileVisitor<Path> visitor) throws IOException {
        if (Files.notExists(root)) {
            return false;
        }
        Files.walkFileTree(root, FOLLOWING_LINKS, Integer.MAX_VALUE, visitor);
        return true;
    }

    static String content(Path file) {
        try {
            return sha256(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return "gone"; // or a broken link, such as a lock file of Emacs
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("Every Java platform has SHA-256", e);
        }
    }
}
