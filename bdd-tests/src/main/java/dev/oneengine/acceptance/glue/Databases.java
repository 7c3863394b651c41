package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.DatabaseKind;
import dev.oneengine.acceptance.Implementation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The databases of a scenario, shared with no other scenario. Confined to the thread of the
 * scenario, except for members marked as thread-safe. */
final class Databases {
    private final Implementation implementation;
    private final Map<String, Database> byName = new ConcurrentHashMap<>();
    private final Path folder;

    Databases(Implementation implementation) throws IOException {
        this.implementation = implementation;
        folder = Files.createTempDirectory("acceptance");
    }

    /** Adds two in-memory databases whose URLs differ but have the same hash code, as "c0" and "an" do. */
    List<Database> addWithOneHashCode(String one, String other) throws Exception {
        String unique = unique("_");
        return List.of(
                add(DatabaseKind.IN_MEMORY, one, "c0" + unique), add(DatabaseKind.IN_MEMORY, other, "an" + unique));
    }

    /** Adds a database that does not exist yet. */
    Database add(DatabaseKind kind, String name) throws Exception {
        return add(kind, name, unique(name.toLowerCase(Locale.ROOT) + "_"));
    }

    private static String unique(String prefix) {
        return prefix + UUID.randomUUID().toString().replace("-", "");
    }

    private Database add(DatabaseKind kind, String name, String unique) throws Exception {
        try {
            Database database = new Database(name, unique, implementation.database(kind, unique, folder));
            byName.put(name, database);
            return database;
        } catch (UnsupportedOperationException e) {
            throw new TestAbortedException("The implementation has no " + kind + " database", e);
        }
    }

    Database get(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "no step has made a database " + name);
    }

    /** Returns all databases. Thread-safe. */
    Collection<Database> all() {
        return byName.values();
    }

    /** Returns the name of the database with a URL, or the URL itself if there is none. Thread-safe. */
    String nameOf(String url) {
        return byName.values().stream()
                .filter(database -> database.url().equals(url))
                .map(database -> '"' + database.name() + '"')
                .findFirst()
                .orElse(url);
    }

    /** A folder for files of the scenario. */
    Path folder() {
        return folder;
    }

    /** Deletes them all. */
    void delete() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        for (Database database : byName.values()) {
            database.underTest().delete();
        }
    }
}
