package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * What a runner was told, and Flyway set up accordingly. Immutable and thread-safe.
 *
 * @param locations where the scripts are; Flyway's default if there are none
 * @param placeholders what is replaced in the scripts
 * @param customiser what the user changes of Flyway's configuration
 * @param listener who hears of the progress
 * @param lockTimeout how long to wait for another process that migrates the same database
 */
record Setup(
        List<String> locations,
        SortedMap<String, String> placeholders,
        UnaryOperator<FluentConfiguration> customiser,
        @Nullable MigrationListener listener,
        Duration lockTimeout) {

    /** Flyway on a database, for one thread. */
    Flyway flyway(DataSource dataSource, Callback... callbacks) {
        FluentConfiguration configuration = configuration();
        return configuration
                .dataSource(dataSource)
                .cleanDisabled(true)
                .callbacks(joined(configuration, callbacks))
                .load();
    }

    /** Flyway on the scripts alone: what is meant for the database would fail on the one that stands in for it. */
    static Flyway flywayOnScripts(FluentConfiguration configuration, DataSource empty) {
        return configuration
                .dataSource(empty)
                .initSql(null)
                .schemas()
                .defaultSchema(null)
                .callbacks(new Callback[0])
                .skipDefaultCallbacks(true)
                .load();
    }

    /** Flyway's configuration without a database. */
    FluentConfiguration configuration() {
        FluentConfiguration configuration = Flyway.configure()
                .loggers(FlywayExtensions.LowerLog.class.getName())
                .group(true) // all of a run or nothing
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .ignoreMigrationPatterns(new String[0]) // a history newer than the scripts is an error as any other
                .lockRetryCount((int) Math.min(Integer.MAX_VALUE, lockTimeout.toSeconds())); // it tries once a second
        if (!locations.isEmpty()) {
            configuration.locations(locations.toArray(String[]::new));
        }
        return customiser.apply(configuration.placeholders(new HashMap<>(placeholders))); // Flyway may add to the map
    }

    /** The same, with a transaction for each script: some cannot run in one, and Flyway does not mix those with others. */
    Setup withoutGroups(Kind kind) {
        UnaryOperator<FluentConfiguration> apart = flyway -> {
            if (kind == Kind.POSTGRESQL) {
                PostgresLock.withoutTransaction(flyway);
            }
            return customiser.apply(flyway).group(false);
        };
        return new Setup(locations, placeholders, apart, listener, lockTimeout);
    }

    private static Callback[] joined(Configuration configuration, Callback... callbacks) {
        Callback[] users = configuration.getCallbacks();
        Callback[] all = new Callback[callbacks.length + users.length];
        System.arraycopy(callbacks, 0, all, 0, callbacks.length);
        System.arraycopy(users, 0, all, callbacks.length, users.length);
        return all;
    }
}
