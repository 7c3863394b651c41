package dev.oneengine.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.benchmark.Way.Check;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.migration.MigratedTemplate;
import dev.oneengine.migration.MigrationRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/** Makes a migrated database in memory for one test, uses it and closes it. Stateless and thread-safe. */
final class Forks {
    static final String LIBRARY = "template.fork()";

    private Forks() {}

    static List<Way> ways(Databases databases, int scripts) throws Exception {
        String location = Scripts.write(databases.directory(), scripts);
        MigrationRunner runner = MigrationRunner.on("sqlite:///:memory:").locations(location);
        MigratedTemplate template = databases.closing(MigratedTemplate.of(runner));
        String original = UUID.randomUUID().toString();
        databases.closing(DriverPool.anchor(original));
        try (HikariDataSource pool = DriverPool.openMemory(original)) {
            migrate(pool, location);
        }
        Check checkedAtOnce = tally -> {};
        return List.of(
                new Way("Flyway on a new pool", () -> migrated(location), checkedAtOnce),
                new Way(LIBRARY, () -> forked(template), checkedAtOnce),
                new Way("raw copy by the driver", () -> copied(original), checkedAtOnce),
                new Way("MigrationRunner on a new engine", () -> migrated(runner), checkedAtOnce));
    }

    static void migrate(HikariDataSource pool, String location) {
        Flyway.configure().dataSource(pool).locations(location).load().migrate();
    }

    private static long migrated(String location) throws SQLException {
        String name = UUID.randomUUID().toString();
        try (Connection anchor = DriverPool.anchor(name);
                HikariDataSource pool = DriverPool.openMemory(name)) {
            migrate(pool, location);
            return anchor.isClosed() ? 0 : use(pool.getConnection());
        }
    }

    private static long forked(MigratedTemplate template) throws SQLException {
        try (Engine fork = template.fork()) {
            return use(fork.dataSource().getConnection());
        }
    }

    private static long migrated(MigrationRunner runner) throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            MigrationRunner anew = runner.cache(cache);
            anew.migrate();
            return use(anew.engine().dataSource().getConnection());
        }
    }

    private static long copied(String original) throws SQLException {
        try (Connection connection = DriverPool.anchor(UUID.randomUUID().toString())) {
            restore(connection, original);
            return use(connection);
        }
    }

    /** Replaces a database by a copy of another one, made with SQLite's backup. */
    static void restore(Connection connection, String original) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("restore from 'file:/" + original + "?vfs=memdb'");
        }
    }

    /** Checks that a database is migrated and that nothing else has used it, writes to it, and closes the connection. */
    static long use(Connection connection) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO t1(name) VALUES ('a row')");
            long rows = Task.number(connection, "SELECT count(*) FROM t1");
            if (rows != Scripts.ROWS + 1) {
                throw new AssertionError("A migrated database has " + rows + " rows");
            }
            return 1;
        }
    }
}
