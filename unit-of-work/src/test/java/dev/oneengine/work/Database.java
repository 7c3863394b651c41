package dev.oneengine.work;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Sql;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** The databases that all behaviour must be the same on. Thread-safe. */
enum Database {
    MEMORY,
    FILE,
    POSTGRESQL;

    /** The server of this JVM; it ends with it. */
    private static final class Server {
        static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "60")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** An empty database, for one test at a time. */
    String url(Path directory) throws SQLException {
        return switch (this) {
            case MEMORY -> "sqlite:///:memory:";
            case FILE -> "jdbc:sqlite:" + directory.resolve("test.db");
            case POSTGRESQL -> {
                Sql.execute(
                        Server.POSTGRES.getPostgresDatabase(), "DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
                yield "postgresql://postgres@localhost:" + Server.POSTGRES.getPort() + "/postgres";
            }
        };
    }

    /** A cache with an engine for an empty database, and a table to count in. */
    EngineCache cacheWithTable(String url) throws SQLException {
        EngineCache cache = EngineCache.create();
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
        return cache;
    }
}
