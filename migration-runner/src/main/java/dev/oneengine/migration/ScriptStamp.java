package dev.oneengine.migration;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The names, sizes and times of all files below some roots at one moment. Immutable and thread-safe.
 *
 * <p>Walking the folders takes two to four times as long as reading the attributes of known files. So {@link #isCurrent} only reads the
 * attributes of the files and folders that it knows: adding, removing or renaming an entry changes the time of its folder.
 */
final class ScriptStamp {
    /** The resolution of time stamps on FAT. A younger file or folder may change again without a new time stamp. */
    private static final Duration YOUNG = Duration.ofSeconds(2);

    private final List<Path> roots;
    private final String text;

    /** All files and folders; {@code null} if only listing the folders can detect a change. */
    private final @Nullable List<Entry> entries;

    private ScriptStamp(List<Path> roots, String text, @Nullable List<Entry> entries) {
        this.roots = roots;
        this.text = text;
        this.entries = entries;
    }

    /** A file or folder whose next change will change its attributes. */
    private interface Entry {
        boolean isUnchanged() throws IOException;
    }

    /** A file. Programs that copy files set its time, so size and key count as well. */
    private record SeenFile(
            Path path,
            FileTime changed,
            long size,
            @Nullable Object key) implements Entry {
        @Override
        public boolean isUnchanged() throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return changed.equals(now.lastModifiedTime()) && size == now.size() && Objects.equals(key, now.fileKey());
        }
    }

    /** A folder. No program can set the time of its last change ({@code ctime}). */
    private record SeenFolder(
            Path path, FileTime changed, @Nullable Object key) implements Entry {
        static SeenFolder of(Path path) throws IOException {
            Map<String, Object> now = Files.readAttributes(path, "unix:ctime,fileKey");
            return new SeenFolder(path, (FileTime) Objects.requireNonNull(now.get("ctime")), now.get("fileKey"));
        }

        @Override
        public boolean isUnchanged() throws IOException {
            return equals(of(path));
        }
    }

    /**
     * Reads the state of all files below some roots. Missing roots have no files.
     *
     * @throws IOException if a file or folder cannot be read
     */
    static ScriptStamp of(List<Path> roots) throws IOException {
        Reader reader = new Reader();
        for (Path root : roots) {
            reader.read(root);
        }
        Collections.sort(reader.lines);
        return new ScriptStamp(
                roots, String.join("\n", reader.lines), reader.settled ? List.copyOf(reader.entries) : null);
    }

    /** Returns a text that is equal for unchanged files. */
    String text() {
        return text;
    }

    /**
     * Returns whether the files below these roots are unchanged.
     *
     * @return {@code false} also if only another stamp can tell
     */
    boolean isCurrent(@Nullable List<Path> now) {
        if (entries == null || !roots.equals(now)) {
            return false;
        }
        try {
            for (Entry entry : entries) {
                if (!entry.isUnchanged()) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // removed meanwhile
        }
    }

    /** Collects the state of files and folders. Confined to its thread. */
    private static final class Reader extends SimpleFileVisitor<Path> {
        private final List<String> lines = new ArrayList<>();
        private final List<Entry> entries = new ArrayList<>();

        /** Whether {@link #entries} suffices to detect the next change. */
        private boolean settled = true;

        private final long young = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - YOUNG.toNanos();

        void read(Path root) throws IOException {
            if (!FileTree.walk(root, this)) {
                settled = false; // the root may appear later
            }
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("unix")) {
                SeenFolder seen = SeenFolder.of(folder);
                entries.add(seen);
                // A link may lead to another folder since the walk has opened this one.
                settled &= isOld(seen.changed) && Objects.equals(seen.key, attributes.fileKey());
            } else {
                settled = false; // on FAT, Windows keeps the time of a folder
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isOther()) {
                return FileVisitResult.CONTINUE; // reading a pipe would wait for its writer
            }
            FileTime changed = attributes.lastModifiedTime();
            boolean old = isOld(changed);
            lines.add(file + " " + attributes.size() + " " + attributes.fileKey() + " "
                    + (old ? changed.to(TimeUnit.NANOSECONDS) : FileTree.content(file)));
            entries.add(new SeenFile(file, changed, attributes.size(), attributes.fileKey()));
            settled &= old && !attributes.isSymbolicLink(); // the attributes of a broken link are its own
            return FileVisitResult.CONTINUE;
        }

        private boolean isOld(FileTime changed) {
            return changed.to(TimeUnit.NANOSECONDS) < young;
        }
    }
}
