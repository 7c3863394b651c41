package dev.oneengine.migration;

import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/**
 * The mode of Flyway's own lock on PostgreSQL. This class needs Flyway's module for PostgreSQL, which is on the classpath only where
 * PostgreSQL is used. Stateless and thread-safe.
 */
final class FlywayLockMode {
    private FlywayLockMode() {}

    /** By default an open transaction holds the lock, and CREATE INDEX CONCURRENTLY waits for the end of each transaction. */
    static void withoutTransaction(FluentConfiguration flyway) {
        flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
    }
}
