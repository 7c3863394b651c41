package dev.oneengine.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** Migration scripts: one in five creates a table with an index, the others insert rows. Stateless and thread-safe. */
final class Scripts {
    /** The rows that the scripts insert into the first table. */
    static final int ROWS = 4;

    private Scripts() {}

    /** Writes scripts and returns their location for Flyway. */
    static String write(Path directory, int scripts) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("scripts" + scripts));
        for (int i = 1; i <= scripts; i++) {
            Path script = folder.resolve("V" + i + "__script.sql");
            Files.writeString(script, sql(i));
            // As in a real project, the scripts are older than the test run.
            Files.setLastModifiedTime(script, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        }
        return "filesystem:" + folder;
    }

    private static String sql(int script) {
        int table = script - (script - 1) % 5;
        return script == table
                ? "CREATE TABLE t%1$d(id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE INDEX i%1$d ON t%1$d(name);"
                        .formatted(table)
                : "INSERT INTO t%d(name) VALUES ('%d');".formatted(table, script);
    }
}
