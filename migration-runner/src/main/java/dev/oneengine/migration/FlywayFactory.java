package dev.oneengine.migration;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Creates Flyway instances. Stateless and thread-safe. */
final class FlywayFactory {
    private FlywayFactory() {}

    /** Creates a Flyway instance for reading, and for a run in one transaction. The instance is confined to its thread. */
    static Flyway create(RunnerSettings settings, DataSource dataSource, Callback... callbacks) {
        return create(settings.configuration(defaults -> {}), dataSource, callbacks);
    }

    /**
     * Creates a Flyway instance for a run in which each script has its own transaction, or none. Flyway cannot mix scripts that need a
     * transaction with scripts that must not have one.
     */
    static Flyway createForScripts(
            RunnerSettings settings, DatabaseSupport database, DataSource dataSource, Callback... callbacks) {
        return create(settings.configuration(database::configureForScripts).group(false), dataSource, callbacks);
    }

    private static Flyway create(FluentConfiguration configuration, DataSource dataSource, Callback... callbacks) {
        return configuration
                .dataSource(dataSource)
                .cleanDisabled(true)
                .callbacks(concatenate(callbacks, configuration.getCallbacks()))
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

    /** Flyway calls callbacks in this order. */
    private static Callback[] concatenate(Callback[] first, Callback[] second) {
        Callback[] all = new Callback[first.length + second.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
