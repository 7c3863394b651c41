package dev.oneengine.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of scripts. Not thread-safe. */
record Folder(Path path) {
    /** Creates two scripts. Each creates a table and inserts a row, so a second run would show. */
    static Folder withTwoScripts(Path parent) throws IOException {
        return new Folder(Files.createDirectories(parent.resolve("scripts")))
                .script("V1__one.sql", "CREATE TABLE one(name TEXT);\nINSERT INTO one VALUES ('V1');")
                .script("V2__two.sql", "CREATE TABLE two(name TEXT);\nINSERT INTO two VALUES ('V2');");
    }

    static Folder empty(Path parent) throws IOException {
        return new Folder(Files.createDirectories(parent.resolve("scripts")));
    }

    Folder script(String name, String sql) throws IOException {
        Files.writeString(path.resolve(name), sql);
        return this;
    }

    Folder remove(String name) throws IOException {
        Files.delete(path.resolve(name));
        return this;
    }

    String location() {
        return "filesystem:" + path;
    }
}
