package dev.oneengine.acceptance;

import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** A folder of migrations, and a table in the database that lists those that have run. Thread-safe. */
record Scripts(Path folder) {
    List<String> all() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    List<String> pending(HandMadeEngine engine) throws IOException, SQLException {
        try (Connection connection = engine.dataSource().getConnection();
                ResultSet history = connection.getMetaData().getTables(null, null, "migration", null)) {
            List<String> done =
                    history.next() ? JdbcConnection.of(connection).sql("SELECT script FROM migration") : List.of();
            return all().stream().filter(script -> !done.contains(script)).toList();
        }
    }

    /** Applies only pending scripts, one thread at a time. */
    void migrate(HandMadeEngine engine) throws IOException, SQLException {
        synchronized (engine.migration()) {
            run(engine, pending(engine));
        }
    }

    void run(HandMadeEngine engine, List<String> pending) throws IOException, SQLException {
        try (Connection connection = engine.dataSource().getConnection()) {
            for (String script : pending) {
                connection.setAutoCommit(false);
                try {
                    Sql.execute(
                            connection, Files.readString(folder.resolve(script)).split(";\\s*"));
                    Sql.execute(
                            connection,
                            "CREATE TABLE IF NOT EXISTS migration(script TEXT)",
                            "INSERT INTO migration VALUES ('" + script + "')");
                    connection.commit();
                } catch (SQLException e) {
                    connection.rollback();
                    throw new SQLException("The script " + script + " failed", e);
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        }
    }
}
