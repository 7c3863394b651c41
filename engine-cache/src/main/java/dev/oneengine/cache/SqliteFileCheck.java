package dev.oneengine.cache;

import java.nio.file.Files;
import java.nio.file.Path;

/** Checks a database file before SQLite opens or creates it. Stateless and thread-safe. */
final class SqliteFileCheck {
    private SqliteFileCheck() {}

    /** Whether the URL opens the database read-only. */
    static boolean isReadOnly(DatabaseUrl url) {
        String immutable = url.parameters().getOrDefault("immutable", "off");
        return "ro".equals(url.parameters().get("mode")) || immutable.matches("(?i)on|true|yes|1");
    }

    /**
     * Finds mistakes that SQLite would report only as "unable to open database file".
     *
     * @return the same URL
     * @throws IllegalArgumentException if there can be no database; the message says why and what to do
     */
    static DatabaseUrl checked(DatabaseUrl url) {
        Path file = Path.of(url.name());
        Path folder = file.getParent();
        if (folder == null || Files.isDirectory(file)) {
            throw new IllegalArgumentException("this is a directory; name a file in it");
        }
        if (Files.exists(file)) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException(
                        "this user may not read the file; grant read permission, or name another file");
            }
        } else if (!Files.exists(folder)) {
            throw new IllegalArgumentException("there is no directory " + folder + "; create it first");
        } else if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(folder + " is a file and no directory; name another path");
        } else if (!Files.isWritable(folder)) {
            throw new IllegalArgumentException("this user may not create files in " + folder
                    + "; grant write permission, or name another directory");
        }
        return url;
    }
}
