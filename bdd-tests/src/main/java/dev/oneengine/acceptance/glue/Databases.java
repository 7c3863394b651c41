package dev.oneengine.acceptance.glue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The databases of a scenario: no other scenario has the same. For the thread of the scenario. */
final class Databases {
    private final Map<String, Database> byName = new LinkedHashMap<>();
    private final Path folder;

    Databases() throws IOException {
        folder = Files.createTempDirectory("acceptance");
    }

    /** Adds two in-memory databases whose URLs differ but have the same hash code, as "c0" and "an" do. */
    List<Database> addWithOneHashCode(String one, String other) {
        String unique = "_" + UUID.randomUUID().toString().replace("-", "");
        return List.of(put(one, inMemory("c0" + unique)), put(other, inMemory("an" + unique)));
    }

    private static Database inMemory(String unique) {
        return new Database("jdbc:sqlite:file:" + unique + "?mode=memory", unique);
    }

    /** Makes a database that is not there yet. */
    Database add(String kind, String name) throws SQLException {
        String unique = name.toLowerCase(Locale.ROOT) + "_"
                + UUID.randomUUID().toString().replace("-", "");
        String url = switch (kind) {
            case "in-memory" -> "jdbc:sqlite:file:" + unique + "?mode=memory";
            case "file" -> "jdbc:sqlite:" + folder.resolve(unique + ".db");
            default -> PostgresServer.create(unique);
        };
        return put(name, new Database(url, unique));
    }

    /** The database of the bug reports, which has no name: each cache has one. */
    Database addNameless(String name) {
        return put(name, new Database("sqlite:///:memory:", ":memory:"));
    }

    private Database put(String name, Database database) {
        byName.put(name, database);
        return database;
    }

    Database get(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "no step has made a database " + name);
    }

    /** A folder for files of the scenario. */
    Path folder() {
        return folder;
    }

    /** Deletes them all. */
    void delete() throws IOException, SQLException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        for (Database database : byName.values()) {
            if (database.url().startsWith("postgresql:")) {
                PostgresServer.drop(database.key());
            }
        }
    }
}
