package dev.oneengine.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** The databases on which the library must behave in the same way. Thread-safe. */
public enum Database {
    MEMORY,
    FILE,
    POSTGRESQL;

    /** The server of this JVM; it ends with it. */
    private static final class Server {
        static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                Path data = Files.createTempDirectory("one-engine-postgres");
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setDataDirectory(data)
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("max_wal_size", "128MB") // the data may be in memory
                        .start();
                stopAfterThisJvm(data);
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A JVM that is killed runs no shutdown hook, but its pipes are closed. */
        private static void stopAfterThisJvm(Path data) throws IOException {
            if (File.separatorChar == '/') {
                String stop =
                        "trap '' INT TERM; read end; test -f postmaster.pid && kill -QUIT $(head -1 postmaster.pid)"
                                + " && sleep 1; cd / && rm -rf '" + data + "'";
                new ProcessBuilder("sh", "-c", stop)
                        .directory(data.toFile())
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.DISCARD)
                        .start();
            }
        }
    }

    private static final AtomicInteger CREATED = new AtomicInteger();

    /** Returns the URL of an empty database, for one test at a time. */
    public String url(Path directory) throws SQLException {
        return switch (this) {
            case MEMORY -> "sqlite:///:memory:";
            case FILE -> "jdbc:sqlite:" + directory.resolve("test.db");
            case POSTGRESQL -> {
                Sql.execute(
                        Server.POSTGRES.getPostgresDatabase(), "DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
                yield onServer("postgres");
            }
        };
    }

    /** Returns the URL of a new empty database at each call; in memory and in files, each has another name. */
    public String newUrl(Path directory) throws SQLException {
        String name = "created_" + CREATED.incrementAndGet();
        return switch (this) {
            case MEMORY -> "jdbc:sqlite:file:" + name + "?mode=memory";
            case FILE -> "jdbc:sqlite:" + directory.resolve(name + ".db");
            case POSTGRESQL -> {
                Sql.execute(Server.POSTGRES.getPostgresDatabase(), "CREATE DATABASE " + name);
                yield onServer(name);
            }
        };
    }

    private static String onServer(String database) {
        return "postgresql://postgres@localhost:" + Server.POSTGRES.getPort() + "/" + database;
    }
}
