package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * All that differs between databases when they are read and migrated. The defaults suit a database that only Flyway knows. Implementations
 * are immutable and thread-safe.
 */
interface DatabaseSupport {
    /** Returns the support for a database. To add a database, implement this interface and add a line here. */
    static DatabaseSupport of(DatabaseUrl url) {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new SqliteSupport();
            case SQLITE_FILE -> new SqliteFileSupport(url);
            case POSTGRESQL -> new PostgresSupport();
            case OTHER -> new DatabaseSupport() {};
        };
    }

    /** The last step of a run before its commit. */
    @FunctionalInterface
    interface BeforeCommit {
        void run(Connection connection) throws SQLException;
    }

    /** Returns an empty database of any kind. Flyway reads scripts only with a connection to a database. */
    default DataSource emptyDatabase() {
        return new StubDatabase();
    }

    /** Returns connections that read the database without an engine, or {@code null} if reading needs one. */
    default @Nullable DataSource readWithoutEngine(Duration busyTimeout) {
        return null;
    }

    /** Lifts the limit on the time for an answer: a migration may take longer than a statement of the application. */
    default void removeSocketTimeout(Connection connection) throws SQLException {}

    /** Wraps a connection so that it only reads and leaves no trace, not even in a session that a pool or proxy passes on. */
    default Connection forReading(Connection connection) throws SQLException {
        return ReadOnlyMode.of(connection);
    }

    /** Prepares a connection for a run in one transaction. */
    default Connection forRun(Connection connection) throws SQLException {
        return connection;
    }

    /** Prepares a connection for a run in which each script has its own transaction, or none. */
    default Connection forScripts(Connection connection) throws SQLException {
        return forRun(connection);
    }

    /** Whether one transaction can roll back all migrations of a run. Many databases commit with {@code CREATE TABLE}. */
    default boolean rollsBackSchemaChanges() {
        return false;
    }

    /** Whether the database surely has no tables, so that all scripts are pending. */
    default boolean isEmpty(DataSource database) throws SQLException {
        return false;
    }

    /**
     * Returns the database file that {@link MigrationFileLock} protects during a run, or {@code null} if the transaction of a run does
     * that.
     */
    default @Nullable Path lockedFile() {
        return null;
    }

    /** Waits, in the transaction of a run, until no other runner migrates the database. */
    default BeforeCommit lock(Connection connection, Duration lockTimeout) throws SQLException {
        return done -> {};
    }

    /** Configures Flyway for a run in which each script has its own transaction, or none. */
    default void configureForScripts(FluentConfiguration flyway) {}
}
