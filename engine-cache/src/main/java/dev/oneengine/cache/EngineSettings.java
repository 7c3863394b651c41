package dev.oneengine.cache;

import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine: the size of its pool, its timeouts, and the options of its connections. Start with {@link #defaults} or
 * {@link #builder}; {@link Builder} explains each setting.
 *
 * <p>Immutable and thread-safe.
 */
public final class EngineSettings {
    private static final EngineSettings DEFAULTS = builder().build();

    // Read directly within this package: the accessors decide nothing, and each is one more method to follow.
    final int poolSize;
    final int minimumIdle;
    final Duration connectionTimeout;
    final Duration socketTimeout;
    final Duration busyTimeout;
    final Duration idleTimeout;
    final Duration maxLifetime;
    final Duration keepalive;
    final boolean foreignKeys;
    final @Nullable Isolation isolation;
    final int statementCache;
    final boolean jmx;
    final @Nullable MetricsTrackerFactory metrics;

    /** All settings by name, for messages. Complete before another thread sees this object. */
    private final Map<String, @Nullable Object> byName = new LinkedHashMap<>();

    /** The isolation of transactions. On SQLite, transactions are always {@link #SERIALIZABLE}. */
    public enum Isolation {
        /** Each statement sees what is committed when the statement begins. */
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        /** Each transaction sees what is committed when the transaction begins. */
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        /** Transactions act as if they had run one after another, or fail and can be retried. */
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        private final int jdbc;

        Isolation(int jdbc) {
            this.jdbc = jdbc;
        }

        /** {@return the constant of {@link Connection} for this isolation} */
        public int jdbc() {
            return jdbc;
        }
    }

    private EngineSettings(Builder builder) {
        poolSize = builder.poolSize;
        minimumIdle = builder.minimumIdle;
        connectionTimeout = builder.connectionTimeout;
        socketTimeout = builder.socketTimeout;
        busyTimeout = builder.busyTimeout;
        idleTimeout = builder.idleTimeout;
        maxLifetime = builder.maxLifetime;
        keepalive = builder.keepalive;
        foreignKeys = builder.foreignKeys;
        isolation = builder.isolation;
        statementCache = builder.statementCache;
        jmx = builder.jmx;
        metrics = builder.metrics;
        SettingLimits.check(this);
        byName.put("poolSize", poolSize);
        byName.put("minimumIdle", minimumIdle);
        byName.put("connectionTimeout", connectionTimeout);
        byName.put("socketTimeout", socketTimeout);
        byName.put("busyTimeout", busyTimeout);
        byName.put("idleTimeout", idleTimeout);
        byName.put("maxLifetime", maxLifetime);
        byName.put("keepalive", keepalive);
        byName.put("foreignKeys", foreignKeys);
        byName.put("isolation", isolation);
        byName.put("statementCache", statementCache);
        byName.put("jmx", jmx);
        byName.put("metrics", metrics);
    }

    /** {@return the settings that fit most uses; always the same object} */
    public static EngineSettings defaults() {
        return DEFAULTS;
    }

    /** {@return a new builder that starts with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the largest number of connections; 10 by default} */
    public int poolSize() {
        return poolSize;
    }

    /** {@return the number of idle connections that the pool keeps; 1 by default} */
    public int minimumIdle() {
        return minimumIdle;
    }

    /** {@return the longest wait for a connection, and for the first answer of a server; 10 seconds by default} */
    public Duration connectionTimeout() {
        return connectionTimeout;
    }

    /** {@return the longest wait for an answer of a PostgreSQL server; zero, the default, for no limit} */
    public Duration socketTimeout() {
        return socketTimeout;
    }

    /** {@return the longest wait for a lock of SQLite; 5 seconds by default} */
    public Duration busyTimeout() {
        return busyTimeout;
    }

    /** {@return the time after which the pool closes a surplus idle connection; 10 minutes by default} */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** {@return the age at which the pool replaces a connection; 30 minutes by default} */
    public Duration maxLifetime() {
        return maxLifetime;
    }

    /** {@return the interval at which the pool tests idle connections; 2 minutes by default} */
    public Duration keepalive() {
        return keepalive;
    }

    /** {@return whether SQLite enforces foreign keys; {@code true} by default} */
    public boolean foreignKeys() {
        return foreignKeys;
    }

    /** {@return the isolation of plain transactions on PostgreSQL; {@code null}, the default, for the server's} */
    public @Nullable Isolation isolation() {
        return isolation;
    }

    /** {@return the number of prepared statements that each connection to SQLite keeps; 64 by default} */
    public int statementCache() {
        return statementCache;
    }

    /** {@return whether the pool registers with the platform's MBean server; {@code false} by default} */
    public boolean jmx() {
        return jmx;
    }

    /** {@return the receiver of the pool's metrics; {@code null} by default} */
    public @Nullable MetricsTrackerFactory metrics() {
        return metrics;
    }

    /** Returns the settings that differ in another object, each with both values. */
    List<String> differencesTo(EngineSettings requested) {
        List<String> differences = new ArrayList<>();
        byName.forEach((name, mine) -> {
            Object other = requested.byName.get(name);
            if (!Objects.equals(mine, other)) {
                differences.add(name + " is " + mine + ", not " + other);
            }
        });
        return differences;
    }

    /** Compares fields instead of {@link #byName}, because a hit with settings calls this. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof EngineSettings settings
                        && poolSize == settings.poolSize
                        && minimumIdle == settings.minimumIdle
                        && connectionTimeout.equals(settings.connectionTimeout)
                        && socketTimeout.equals(settings.socketTimeout)
                        && busyTimeout.equals(settings.busyTimeout)
                        && idleTimeout.equals(settings.idleTimeout)
                        && maxLifetime.equals(settings.maxLifetime)
                        && keepalive.equals(settings.keepalive)
                        && foreignKeys == settings.foreignKeys
                        && isolation == settings.isolation
                        && statementCache == settings.statementCache
                        && jmx == settings.jmx
                        && Objects.equals(metrics, settings.metrics));
    }

    @Override
    public int hashCode() {
        return byName.hashCode();
    }

    @Override
    public String toString() {
        return "EngineSettings" + byName;
    }

    /** A builder of settings. Not thread-safe. */
    public static final class Builder {
        private int poolSize = 10;
        private int minimumIdle = 1;
        private Duration connectionTimeout = Duration.ofSeconds(10);
        private Duration socketTimeout = Duration.ZERO;
        private Duration busyTimeout = Duration.ofSeconds(5);
        private Duration idleTimeout = Duration.ofMinutes(10);
        private Duration maxLifetime = Duration.ofMinutes(30);
        private Duration keepalive = Duration.ofMinutes(2);
        private boolean foreignKeys = true;
        private @Nullable Isolation isolation;
        private int statementCache = 64;
        private boolean jmx;
        private @Nullable MetricsTrackerFactory metrics;

        private Builder() {}

        /**
         * Sets the largest number of connections.
         *
         * @param poolSize at least 1
         * @return this builder
         */
        public Builder poolSize(int poolSize) {
            this.poolSize = poolSize;
            return this;
        }

        /**
         * Sets the number of idle connections that the pool keeps.
         *
         * @param minimumIdle at most the pool size
         * @return this builder
         */
        public Builder minimumIdle(int minimumIdle) {
            this.minimumIdle = minimumIdle;
            return this;
        }

        /**
         * Limits the wait for a connection, and for the first answer of a server.
         *
         * @param connectionTimeout at least 250 milliseconds, at most 24 days
         * @return this builder
         */
        public Builder connectionTimeout(Duration connectionTimeout) {
            this.connectionTimeout = connectionTimeout;
            return this;
        }

        /**
         * Limits the wait for each answer of a PostgreSQL server, so that a dead server does not block threads forever.
         *
         * <p>A statement without an answer fails, and its connection leaves the pool. Long queries and long waits for a lock fail as
         * well, so there is no limit by default. Migrations have none. The driver counts in seconds; fractions are rounded up. The
         * URL parameter {@code socketTimeout} has the same effect; if URL and settings differ, the engine cannot be created. On
         * SQLite this setting has no effect.
         *
         * @param socketTimeout zero for no limit
         * @return this builder
         */
        public Builder socketTimeout(Duration socketTimeout) {
            this.socketTimeout = socketTimeout;
            return this;
        }

        /**
         * Limits the wait for a lock of SQLite.
         *
         * @param busyTimeout zero to fail at once, at most 24 days
         * @return this builder
         */
        public Builder busyTimeout(Duration busyTimeout) {
            this.busyTimeout = busyTimeout;
            return this;
        }

        /**
         * Sets the time after which the pool closes an idle connection above {@link #minimumIdle}. In memory it closes none.
         *
         * @param idleTimeout at least 10 seconds, or zero for never
         * @return this builder
         */
        public Builder idleTimeout(Duration idleTimeout) {
            this.idleTimeout = idleTimeout;
            return this;
        }

        /**
         * Sets the age at which the pool replaces a connection. In memory it replaces none.
         *
         * @param maxLifetime at least 30 seconds, or zero for never
         * @return this builder
         */
        public Builder maxLifetime(Duration maxLifetime) {
            this.maxLifetime = maxLifetime;
            return this;
        }

        /**
         * Sets the interval at which the pool tests idle connections. In memory it tests none.
         *
         * @param keepalive at least 30 seconds and shorter than {@link #maxLifetime}, or zero for never
         * @return this builder
         */
        public Builder keepalive(Duration keepalive) {
            this.keepalive = keepalive;
            return this;
        }

        /**
         * Sets whether SQLite enforces foreign keys.
         *
         * @param foreignKeys {@code false} to accept rows that refer to missing rows
         * @return this builder
         */
        public Builder foreignKeys(boolean foreignKeys) {
            this.foreignKeys = foreignKeys;
            return this;
        }

        /**
         * Sets the isolation of plain transactions on PostgreSQL: those on connections of {@link Engine#dataSource}. Units of work
         * have their own setting.
         *
         * <p>By default the server decides, and the engine sends no command. Otherwise the pool sets the isolation for the session
         * of each connection. A proxy that shares sessions, such as PgBouncer, would apply this setting to other clients, so the
         * engine cannot be created behind one. On SQLite this setting has no effect.
         *
         * @param isolation the isolation, or {@code null} for the server's default
         * @return this builder
         */
        public Builder isolation(@Nullable Isolation isolation) {
            this.isolation = isolation;
            return this;
        }

        /**
         * Sets the number of prepared statements that each connection to SQLite keeps for their next use.
         *
         * <p>Preparing a small statement takes SQLite longer than running it. A connection therefore keeps prepared statements that
         * query or change rows, and closes the least recently used ones above this number. A kept statement carries no parameters,
         * limits or rows over to its next user. Texts above 8,192 characters are not kept. On PostgreSQL this setting has no effect,
         * because the driver keeps statements itself.
         *
         * @param statementCache the largest number of statements for each connection, 0 for none
         * @return this builder
         */
        public Builder statementCache(int statementCache) {
            this.statementCache = statementCache;
            return this;
        }

        /**
         * Sets whether the pool registers with the platform's MBean server.
         *
         * @param jmx {@code true} to register
         * @return this builder
         */
        public Builder jmx(boolean jmx) {
            this.jmx = jmx;
            return this;
        }

        /**
         * Sets the receiver of the pool's metrics, such as HikariCP's factories for Micrometer and Prometheus.
         *
         * @param metrics the receiver; replaces an earlier one
         * @return this builder
         */
        public Builder metrics(MetricsTrackerFactory metrics) {
            this.metrics = metrics;
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the values that were set, and defaults for the others
         * @throws IllegalArgumentException if a value is out of range; the message names the setting
         */
        public EngineSettings build() {
            return new EngineSettings(this);
        }
    }
}
