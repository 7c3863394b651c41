package dev.oneengine.migration;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link MigrationRunner}. Immutable and thread-safe.
 *
 * @param locations the places of the scripts; Flyway's default if empty
 * @param placeholders the values for <code>${name}</code> in scripts
 * @param customiser the user's changes of Flyway's configuration
 * @param listener the listener of all runs
 * @param lockTimeout the longest wait for a lock
 */
record RunnerSettings(
        List<String> locations,
        SortedMap<String, String> placeholders,
        UnaryOperator<FluentConfiguration> customiser,
        @Nullable MigrationListener listener,
        Duration lockTimeout) {
    static final RunnerSettings DEFAULTS = new RunnerSettings(
            List.of(), Collections.emptySortedMap(), UnaryOperator.identity(), null, Duration.ofMinutes(5));

    /** A longer wait makes no difference, and a deadline after it fits into a long. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    RunnerSettings withLocations(String... others) {
        return new RunnerSettings(List.of(others), placeholders, customiser, listener, lockTimeout);
    }

    RunnerSettings withPlaceholder(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(placeholders);
        more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return new RunnerSettings(
                locations, Collections.unmodifiableSortedMap(more), customiser, listener, lockTimeout);
    }

    RunnerSettings withListener(MigrationListener other) {
        return new RunnerSettings(
                locations, placeholders, customiser, Objects.requireNonNull(other, "listener"), lockTimeout);
    }

    RunnerSettings withLockTimeout(Duration other) {
        if (other.isNegative()) {
            throw new IllegalArgumentException("lockTimeout must not be negative: " + other);
        }
        Duration limited = other.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : other;
        return new RunnerSettings(locations, placeholders, customiser, listener, limited);
    }

    /**
     * Returns Flyway's configuration without a database.
     *
     * @param defaults changes the defaults before the user does
     */
    FluentConfiguration configuration(Consumer<FluentConfiguration> defaults) {
        FluentConfiguration configuration = Flyway.configure(classLoader())
                .loggers(FlywayExtensions.LowerLog.class.getName())
                .group(true) // one transaction for the whole run
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .ignoreMigrationPatterns(new String[0]) // Flyway would ignore a history newer than the scripts
                .lockRetryCount((int) Math.min(Integer.MAX_VALUE, lockTimeout.toSeconds())) // one attempt a second
                .placeholders(new HashMap<>(placeholders)); // Flyway adds more
        if (!locations.isEmpty()) {
            configuration.locations(locations.toArray(String[]::new));
        }
        defaults.accept(configuration);
        return customiser.apply(configuration);
    }

    /** Returns the class loader of the thread, or that of this library for a thread without one. */
    private static ClassLoader classLoader() {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread == null ? RunnerSettings.class.getClassLoader() : ofThread;
    }

    /** Adds a change of Flyway's configuration after all earlier ones. */
    RunnerSettings withCustomiser(UnaryOperator<FluentConfiguration> next) {
        Objects.requireNonNull(next, "customiser");
        return new RunnerSettings(
                locations, placeholders, flyway -> next.apply(customiser.apply(flyway)), listener, lockTimeout);
    }
}
