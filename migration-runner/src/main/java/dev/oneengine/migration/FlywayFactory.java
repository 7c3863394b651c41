package dev.oneengine.migration;

import java.util.HashMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Creates Flyway instances with the settings of a runner. Immutable and thread-safe. */
final class FlywayFactory {
    private final RunnerSettings settings;

    FlywayFactory(RunnerSettings settings) {
        this.settings = settings;
    }

    /** Creates a Flyway instance for reading, and for a run in one transaction. The instance is confined to its thread. */
    Flyway create(DataSource dataSource, Callback... callbacks) {
        return create(configuration(), dataSource, callbacks);
    }

    /**
     * Creates a Flyway instance for a run in which each script has its own transaction, or none. Flyway cannot mix scripts that need a
     * transaction with scripts that must not have one.
     */
    Flyway createForScripts(DatabaseSupport database, DataSource dataSource, Callback... callbacks) {
        return create(
                configuration(flyway -> {
                    database.configureForScripts(flyway);
                    return settings.customiser().apply(flyway).group(false);
                }),
                dataSource,
                callbacks);
    }

    private static Flyway create(FluentConfiguration configuration, DataSource dataSource, Callback... callbacks) {
        return configuration
                .dataSource(dataSource)
                .cleanDisabled(true)
                .callbacks(join(callbacks, configuration.getCallbacks()))
                .load();
    }

    /** Creates a Flyway instance that only reads scripts. Settings for the real database would fail on an empty one. */
    static Flyway createForReadingScripts(FluentConfiguration configuration, DataSource emptyDatabase) {
        return configuration
                .dataSource(emptyDatabase)
                .initSql(null)
                .schemas()
                .defaultSchema(null)
                .callbacks(new Callback[0])
                .skipDefaultCallbacks(true)
                .load();
    }

    /** Returns Flyway's configuration without a database. */
    FluentConfiguration configuration() {
        return configuration(settings.customiser());
    }

    private FluentConfiguration configuration(UnaryOperator<FluentConfiguration> customiser) {
        FluentConfiguration configuration = Flyway.configure()
                .loggers(FlywayExtensions.LowerLog.class.getName())
                .group(true) // one transaction for the whole run
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .ignoreMigrationPatterns(new String[0]) // Flyway would ignore a history newer than the scripts
                .lockRetryCount(
                        (int) Math.min(Integer.MAX_VALUE, settings.lockTimeout().toSeconds())); // one attempt a second
        if (!settings.locations().isEmpty()) {
            configuration.locations(settings.locations().toArray(String[]::new));
        }
        return customiser.apply(configuration.placeholders(new HashMap<>(settings.placeholders()))); // Flyway adds more
    }

    /** Flyway calls callbacks in this order. */
    private static Callback[] join(Callback[] first, Callback[] second) {
        Callback[] all = new Callback[first.length + second.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
