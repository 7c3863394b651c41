package dev.oneengine.acceptance;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;

/** The PostgreSQL server of this JVM, started at its first use. It ends with the JVM. Thread-safe. */
final class PostgresServer {
    private PostgresServer() {}

    private static final class Started {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("fsync", "off") // the data need not survive a crash
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot start a PostgreSQL server", e);
            }
        }
    }

    static int port() {
        return Started.SERVER.getPort();
    }

    /** Runs a statement as the administrator. */
    static List<String> sql(String sql) throws SQLException {
        JdbcConnection connection = JdbcConnection.open(Started.SERVER.getPostgresDatabase());
        try {
            return connection.sql(sql);
        } finally {
            connection.close();
        }
    }
}
