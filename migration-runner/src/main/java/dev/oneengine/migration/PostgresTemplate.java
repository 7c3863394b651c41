package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A template on a PostgreSQL server, which the server copies. Thread-safe after {@link #finish}. */
final class PostgresTemplate implements TemplateDatabase {
    /** The database of the URL. Its connections create and drop the template and its copies. */
    private final DatabaseUrl home;

    private final String name;
    private final Engine engine;

    private PostgresTemplate(DatabaseUrl home, String name, EngineSettings settings) {
        this.home = home;
        this.name = name;
        this.engine = Cleanup.onFailure(
                () -> drop(name),
                () -> EngineCache.create(EngineFactory.pooled(), settings).engine(urlOf(name)));
    }

    static PostgresTemplate create(DatabaseUrl home, EngineSettings settings) {
        String name = "one_engine_template_" + unique();
        try {
            atHome(home, "CREATE DATABASE " + quoted(name));
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot create a template on the server of " + home + ": " + e.getMessage() + "; the user needs "
                            + "the right to create databases, and the database of the URL must exist",
                    e);
        }
        return new PostgresTemplate(home, name, settings);
    }

    private static String unique() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static void atHome(DatabaseUrl home, String sql) throws SQLException {
        try (Connection connection = driver().connect(home.jdbcUrl(), home.driverProperties());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Avoids {@link java.sql.DriverManager}, which loads all drivers on the classpath. */
    private static Driver driver() throws SQLException {
        try {
            return Class.forName("org.postgresql.Driver")
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new SQLException("the driver is missing; add org.postgresql:postgresql to the classpath", e);
        }
    }

    private DatabaseUrl urlOf(String database) {
        return TemplateDatabase.like(home, serverOf(home) + TemplateDatabase.encoded(database));
    }

    private static String serverOf(DatabaseUrl url) {
        return url.jdbcUrl().substring(0, url.jdbcUrl().lastIndexOf('/') + 1);
    }

    @Override
    public Kind kind() {
        return Kind.POSTGRESQL;
    }

    @Override
    public Engine engine() {
        return engine;
    }

    /**
     * A server copies a database only if it has no connections. A proxy keeps its connections open after those of the engine are
     * closed.
     */
    @Override
    public void finish() {
        engine.close();
        try {
            // Only sessions of this user: the user may not end other sessions, such as an autovacuum.
            atHome(
                    home,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND datname = '"
                            + name + "'");
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot close the connections to the template " + name + " on the server of " + home + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public DatabaseUrl nextFork() {
        return urlOf("one_engine_fork_" + unique());
    }

    @Override
    public EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception {
        if (!serverOf(url).equals(serverOf(home))) {
            throw new MigrationException(
                    "Cannot copy a template on the server of " + home + " to " + url
                            + ": name a database on that server",
                    null);
        }
        atHome(home, "CREATE DATABASE " + quoted(url.name()) + " TEMPLATE " + quoted(name));
        return Cleanup.onFailure(() -> drop(url.name()), () -> {
            EngineSource source = EngineFactory.pooled().open(url, settings);
            return temporary ? new TemporaryDatabase(source, () -> drop(url.name())) : source;
        });
    }

    private void drop(String database) throws SQLException {
        atHome(home, "DROP DATABASE IF EXISTS " + quoted(database) + " WITH (FORCE)");
    }

    @Override
    public void close() {
        engine.close();
        try {
            drop(name);
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot drop the template " + name + " on the server of " + home + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return home.toString();
    }
}
