package dev.oneengine.acceptance.glue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The PostgreSQL server of this JVM: it starts when it is first needed and ends with the JVM. Thread-safe. */
final class PostgresServer {
    private PostgresServer() {}

    private static final class Started {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("fsync", "off") // nothing here is for keeping
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException("No PostgreSQL server could be started", e);
            }
        }
    }

    /** Makes an empty database and returns its URL. */
    static String create(String database) throws SQLException {
        Jdbc.execute(administration(), "CREATE DATABASE " + database);
        return "postgresql://postgres@localhost:" + Started.SERVER.getPort() + "/" + database;
    }

    static void drop(String database) throws SQLException {
        Jdbc.execute(administration(), "DROP DATABASE " + database + " WITH (FORCE)");
    }

    /** How many connections of somebody else a database has. */
    static int connections(String database) throws SQLException {
        return Integer.parseInt(Jdbc.strings(
                        administration(), "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + database + "'")
                .get(0));
    }

    private static DataSource administration() {
        return Started.SERVER.getPostgresDatabase();
    }
}
