package dev.oneengine.cache.url;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The canonical path of a file, whether the file exists or not. Stateless and thread-safe. */
final class RealPath {
    /** The number of links in a row that Linux follows. Ends a cycle of links. */
    private static final int MOST_LINKS = 40;

    private RealPath() {}

    /**
     * Makes a path absolute, resolves its links, and removes {@code .} and {@code ..}. Appends the part that does not exist yet,
     * as it is written, to the real path of the part that exists.
     *
     * @throws UncheckedIOException if a link may exist and cannot be read: ignoring the link would give one file two paths
     */
    static Path of(Path path) {
        return resolve(path.toAbsolutePath(), MOST_LINKS);
    }

    private static Path resolve(Path path, int linksLeft) {
        // Without path.normalize() first: after a link to a folder, ".." is the parent of that folder, not of the link.
        Path parent = path.getParent();
        if (parent == null) {
            return path;
        }
        try {
            return path.toRealPath();
        } catch (IOException missing) {
            Path target = linksLeft > 0 ? target(path, parent) : null;
            return target == null
                    ? resolve(parent, linksLeft).resolve(path.getFileName()).normalize()
                    : resolve(parent.resolve(target), linksLeft - 1);
        }
    }

    /** Returns the target of a link, or {@code null} if there is no link. */
    private static @Nullable Path target(Path path, Path parent) {
        try {
            return Files.readSymbolicLink(path);
        } catch (NotLinkException | NoSuchFileException | AccessDeniedException e) {
            return null; // a link that this user cannot read leads to a file that this user cannot open
        } catch (IOException e) {
            if (Files.isDirectory(parent)) {
                throw new UncheckedIOException(e);
            }
            return null; // the path leads through a file, so no file can exist there
        }
    }
}
