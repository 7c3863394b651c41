package dev.oneengine.soak;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.migration.MigratedTemplate;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all programs on one kind of database share: scripts, a template, and on PostgreSQL the database
 * itself. Thread-safe.
 */
final class Server implements AutoCloseable {
    private static final int SCRIPTS = 4;
    private static final String COUNT_TABLES =
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'";

    private static final String READ_ALL = tableNames().stream()
            .map(table -> "SELECT '" + table + "', id, " + (table.startsWith("t") ? "name" : "CAST(parent AS TEXT)")
                    + " FROM " + table)
            .collect(Collectors.joining(" UNION ALL "));

    private final Database database;
    private final Path directory;
    private final @Nullable String postgresUrl;

    /** A connection that bypasses the library, so it sees only committed rows. */
    private final @Nullable Connection outside;

    private final MigratedTemplate template;
    private int programs;

    /**
     * Whether Flyway created the tables on PostgreSQL. Then they and its history are dropped before the next program.
     */
    private boolean hasHistory;

    Server(Database database, Path directory) throws SQLException, IOException {
        this.database = database;
        this.directory = directory;
        if (database == Database.POSTGRESQL) {
            postgresUrl = database.newUrl(directory);
            outside = DriverManager.getConnection("jdbc:" + postgresUrl.replace("postgres@", "") + "?user=postgres");
        } else {
            postgresUrl = null;
            outside = null;
        }
        writeScripts();
        MigrationRunner runner = MigrationRunner.on(url())
                .settings(EngineSettings.builder().poolSize(4).build())
                .locations(locations(1, false));
        template = MigratedTemplate.of(
                runner, engine -> Sql.execute(engine.dataSource(), "INSERT INTO t0 VALUES (1, 'seed')"));
    }

    Database database() {
        return database;
    }

    boolean isPostgres() {
        return database == Database.POSTGRESQL;
    }

    static List<String> tables() {
        List<String> sql = new ArrayList<>();
        for (int i = 0; i < RealWorld.TABLES; i++) {
            sql.add("CREATE TABLE IF NOT EXISTS t" + i + "(id INTEGER PRIMARY KEY, name TEXT)");
            sql.add("CREATE TABLE IF NOT EXISTS c" + i + "(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t" + i
                    + ")");
            sql.add("CREATE TABLE IF NOT EXISTS l" + i + "(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t" + i
                    + " DEFERRABLE INITIALLY DEFERRED)");
        }
        sql.add("CREATE TABLE IF NOT EXISTS shared(n INTEGER)");
        sql.add("INSERT INTO shared SELECT 0 WHERE NOT EXISTS (SELECT * FROM shared)");
        return sql;
    }

    static List<String> tableNames() {
        return IntStream.range(0, RealWorld.TABLES)
                .boxed()
                .flatMap(i -> List.of("c" + i, "l" + i, "t" + i).stream())
                .toList();
    }

    private void writeScripts() throws IOException {
        for (int version = 1; version <= SCRIPTS; version++) {
            String sql = version == 1
                    ? String.join(";\n", tables()) + ";\n"
                    : "INSERT INTO t2 VALUES (" + (1000 + version) + ", 'script');\n";
            write("v" + version, "V" + version + "__script.sql", sql);
        }
        write("broken", "V9__broken.sql", "INSERT INTO t2 VALUES (1009, 'script');\nINSERT INTO nowhere VALUES (1);\n");
    }

    private void write(String folder, String name, String sql) throws IOException {
        Files.writeString(Files.createDirectories(directory.resolve(folder)).resolve(name), sql);
    }

    String[] locations(int version, boolean broken) {
        List<String> locations = new ArrayList<>();
        for (int i = 1; i <= version; i++) {
            locations.add("filesystem:" + directory.resolve("v" + i));
        }
        if (broken) {
            locations.add("filesystem:" + directory.resolve("broken"));
        }
        return locations.toArray(String[]::new);
    }

    /** An empty database for the next program. */
    synchronized String nextUrl(boolean scripts) throws SQLException {
        programs++;
        if (isPostgres()) {
            boolean keepTables = !scripts
                    && !hasHistory
                    && Sql.query(outside(), COUNT_TABLES).equals("10");
            Sql.execute(
                    outside(),
                    keepTables
                            ? "DELETE FROM shared; DELETE FROM " + String.join("; DELETE FROM ", tableNames())
                            : "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
            hasHistory = scripts;
        }
        return url();
    }

    private String url() {
        return switch (database) {
            case MEMORY -> "jdbc:sqlite:file:program" + programs + "?mode=memory";
            case FILE -> "jdbc:sqlite:" + file();
            case POSTGRESQL -> Objects.requireNonNull(postgresUrl);
        };
    }

    Path file() {
        return directory.resolve("program" + programs + ".db");
    }

    private Connection outside() {
        return Objects.requireNonNull(outside);
    }

    Engine fork() {
        return template.fork();
    }

    /** Reads all tables without the library. */
    synchronized void read(Map<String, String> rows) throws SQLException {
        if (isPostgres()) {
            readAll(outside(), rows);
        } else if (Files.exists(file())) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file())) {
                readAll(connection, rows);
            }
        }
    }

    static void readAll(Connection connection, Map<String, String> rows) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(READ_ALL)) {
            while (result.next()) {
                rows.put(result.getString(1) + "/" + result.getInt(2), result.getString(3));
            }
        } catch (SQLException e) {
            if (!Failures.describe(e).equals("syntax")) {
                throw e;
            }
            rows.clear(); // there are no tables yet
        }
    }

    /** Ends one session of PostgreSQL, or all sessions except this one. */
    synchronized void kill(@Nullable String pid) throws SQLException {
        String sql = pid == null
                ? "SELECT bool_and(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                : "SELECT pg_terminate_backend(" + pid + ", 5000)";
        Sql.query(outside(), sql);
    }

    /** Returns the other sessions of PostgreSQL with their last statements. */
    synchronized Map<String, String> sessions() {
        Map<String, String> sessions = new TreeMap<>();
        if (isPostgres()) {
            try (Statement statement = outside().createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT pid, datname || ' ' || state || ' since ' || state_change || ': ' || query"
                                    + " FROM pg_stat_activity"
                                    + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")) {
                while (rows.next()) {
                    sessions.put(rows.getString(1), String.valueOf(rows.getString(2)));
                }
            } catch (SQLException e) {
                throw new IllegalStateException("The server does not answer", e);
            }
        }
        return sessions;
    }

    @Override
    public void close() throws SQLException {
        template.close();
        if (outside != null) {
            outside.close();
        }
    }
}
