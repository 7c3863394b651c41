package dev.oneengine.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The one path under which a file is known, whether it exists yet or not. Stateless and thread-safe. */
final class RealPath {
    /** As many links in a row as Linux follows; a ring of links is found by it. */
    private static final int MOST_LINKS = 40;

    private RealPath() {}

    /**
     * Makes a path absolute, resolves the links in it, and takes out {@code .} and {@code ..}. What does not exist yet is
     * taken as written, behind the real path of what does.
     *
     * @throws UncheckedIOException if a link may be there and cannot be read: without it, one file would have two paths
     */
    static Path of(Path path) {
        return resolve(path.toAbsolutePath(), MOST_LINKS);
    }

    private static Path resolve(Path path, int linksLeft) {
        // Not path.normalize() first: behind a link to a folder, ".." is the parent of that folder, not of the link.
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

    /** Where a link leads; {@code null} where there is no link. */
    private static @Nullable Path target(Path path, Path parent) {
        try {
            return Files.readSymbolicLink(path);
        } catch (NotLinkException | NoSuchFileException | AccessDeniedException e) {
            return null; // what this user cannot read, this user cannot open either
        } catch (IOException e) {
            if (Files.isDirectory(parent)) {
                throw new UncheckedIOException(e);
            }
            return null; // no file can be there
        }
    }
}
