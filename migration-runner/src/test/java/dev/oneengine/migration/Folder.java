package dev.oneengine.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of scripts. For one thread at a time. */
record Folder(Path path) {
    /** Two tables, and a row in each for every time that a script ran. */
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
