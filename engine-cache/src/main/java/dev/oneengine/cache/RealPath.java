package dev.oneengine.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The one path under which a file is known, whether it exists yet or not. Stateless and thread-safe. */
final class RealPath {
    /** As many links in a row as Linux follows; a ring of links is found by it. */
    private static final int MOST_LINKS = 40;

    private RealPath() {}

    /**
     * Makes a path absolute, resolves the links in it, and takes out {@code .} and {@code ..}. What does not exist yet is
     * taken as written, behind the real path of what does.
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
            if (linksLeft > 0 && Files.isSymbolicLink(path)) {
                return resolve(parent.resolve(target(path)), linksLeft - 1);
            }
            return resolve(parent, linksLeft).resolve(path.getFileName()).normalize();
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            // The link went away in between: its name stands for itself.
            return link.getFileName();
        }
    }
}
