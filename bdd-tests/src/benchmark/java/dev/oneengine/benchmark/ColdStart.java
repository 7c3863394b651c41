package dev.oneengine.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.benchmark.Way.Work;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.ChildJvm;
import dev.oneengine.work.UnitOfWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Starts a JVM that migrates a new file and commits one transaction. The JVM halts right after the commit, so it runs
 * only as long as the first commit takes. Confined to its thread.
 */
final class ColdStart {
    static final String LIBRARY = "UnitOfWork with a MigrationRunner";
    private static final String INSERT = "INSERT INTO t1(name) VALUES ('first')";

    private ColdStart() {}

    static List<Way> ways(Databases databases) throws IOException {
        String location = Scripts.write(databases.directory(), 5);
        return List.of(
                way("HikariCP and Flyway by hand", "hand", databases.directory(), location),
                way(LIBRARY, "library", databases.directory(), location));
    }

    private static Way way(String name, String program, Path directory, String location) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(program));
        Work start = () -> {
            Path file = folder.resolve(UUID.randomUUID() + ".db");
            ChildJvm.of(ColdStart.class, program, file.toString(), location)
                    .options(Benchmark.FLAGS)
                    .run();
            return 1;
        };
        return new Way(name, start, tally -> tally.expect("starts", committed(folder)));
    }

    /** The number of files with a committed row. */
    private static long committed(Path folder) throws IOException, SQLException {
        long committed = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".db")).toList()) {
                try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                    committed += Task.number(connection, "SELECT count(*) FROM t1 WHERE name = 'first'");
                }
            }
        }
        return committed;
    }

    /**
     * Runs one way.
     *
     * @param arguments the way, the file and the location of the scripts
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("library")) {
            startLibrary("jdbc:sqlite:" + arguments[1], arguments[2]);
        } else {
            startByHand(arguments[1], arguments[2]);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void startLibrary(String url, String location) throws SQLException {
        UnitOfWork units = UnitOfWork.builder(url)
                .prepare(MigrationRunner.on(url).locations(location).preparation())
                .build();
        units.run(tx -> insert(tx.connection()));
    }

    private static void startByHand(String file, String location) throws SQLException {
        HikariDataSource pool = DriverPool.openFile(file);
        Forks.migrate(pool, location);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection);
            connection.commit();
        }
    }

    private static void insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(INSERT);
        }
    }
}
