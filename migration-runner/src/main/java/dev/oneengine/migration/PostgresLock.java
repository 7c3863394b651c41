package dev.oneengine.migration;

import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** What needs Flyway's module for PostgreSQL, which only those have who use that. Stateless and thread-safe. */
final class PostgresLock {
    private PostgresLock() {}

    /** By default Flyway's lock is an open transaction, and CREATE INDEX CONCURRENTLY waits for the end of each. */
    static void withoutTransaction(FluentConfiguration flyway) {
        flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
    }
}
