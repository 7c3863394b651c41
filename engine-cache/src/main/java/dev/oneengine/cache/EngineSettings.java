package dev.oneengine.cache;

import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an engine makes and keeps its connections. Start from {@link #defaults()} or {@link #builder()}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param poolSize how many connections there are at most; 10
 * @param minimumIdle how many unused connections are kept; 1
 * @param connectionTimeout how long a caller waits for a connection, and for the first answer of a server; 10 seconds
 * @param socketTimeout the longest wait for an answer of a PostgreSQL server, zero for no limit; zero. See
 *     {@link Builder#socketTimeout}
 * @param busyTimeout how long a connection to SQLite waits for the lock of another; 5 seconds
 * @param idleTimeout after what time an unused connection above the minimum is closed, zero for never; 10 minutes, and
 *     never in memory
 * @param maxLifetime after what time a connection is replaced, zero for never; 30 minutes, and never in memory
 * @param keepalive how often an unused connection is checked, zero for never; 2 minutes, and never in memory
 * @param foreignKeys whether SQLite enforces foreign keys; yes
 * @param isolation the isolation of plain transactions on PostgreSQL, {@code null} for the server's default; {@code null}.
 *     See {@link Builder#isolation}
 * @param statementCache the number of prepared statements that each connection to SQLite keeps, 0 for none; 64. See
 *     {@link Builder#statementCache}
 * @param jmx whether the pool registers itself with the platform's MBean server; no
 * @param metrics what takes the measurements of the pool, such as HikariCP's factories for Micrometer and Prometheus;
 *     nothing
 */
public record EngineSettings(
        int poolSize,
        int minimumIdle,
        Duration connectionTimeout,
        Duration socketTimeout,
        Duration busyTimeout,
        Duration idleTimeout,
        Duration maxLifetime,
        Duration keepalive,
        boolean foreignKeys,
        @Nullable Isolation isolation,
        int statementCache,
        boolean jmx,
        @Nullable MetricsTrackerFactory metrics) {

    /** The longest time, in milliseconds, that PostgreSQL's driver and sockets can hold. */
    private static final Duration LONGEST_SOCKET_TIMEOUT = Duration.ofSeconds(Integer.MAX_VALUE / 1000);

    private static final EngineSettings DEFAULTS = builder().build();

    /** How much transactions see of each other. On SQLite transactions are always {@link #SERIALIZABLE}. */
    public enum Isolation {
        /** Each statement sees what is committed when it begins. */
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        /** Each transaction sees what is committed when it begins. */
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        /** Transactions end as if they had run one after the other, or fail and can be tried again. */
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        private final int jdbc;

        Isolation(int jdbc) {
            this.jdbc = jdbc;
        }

        /**
         * The constant of {@link Connection} for this isolation.
         *
         * @return as for {@link Connection#setTransactionIsolation}
         */
        public int jdbc() {
            return jdbc;
        }
    }

    /**
     * Checks the settings.
     *
     * @param poolSize as above
     * @param minimumIdle as above
     * @param connectionTimeout as above
     * @param socketTimeout as above
     * @param busyTimeout as above
     * @param idleTimeout as above
     * @param maxLifetime as above
     * @param keepalive as above
     * @param foreignKeys as above
     * @param isolation as above
     * @param statementCache as above
     * @param jmx as above
     * @param metrics as above
     * @throws IllegalArgumentException if one of them cannot be; the message names it
     */
    public EngineSettings {
        require(poolSize >= 1, "poolSize must be at least 1, not " + poolSize);
        require(
                minimumIdle >= 0 && minimumIdle <= poolSize,
                "minimumIdle must be between 0 and the poolSize of " + poolSize + ", not " + minimumIdle);
        // The limits below are those of HikariCP, which would take other values with a mere warning.
        atLeast("connectionTimeout", connectionTimeout, Duration.ofMillis(250));
        require(
                !socketTimeout.isNegative() && socketTimeout.compareTo(LONGEST_SOCKET_TIMEOUT) <= 0,
                "socketTimeout must be between zero and " + LONGEST_SOCKET_TIMEOUT + ", not " + socketTimeout);
        require(!busyTimeout.isNegative(), "busyTimeout must not be negative, as " + busyTimeout + " is");
        zeroOrAtLeast("idleTimeout", idleTimeout, Duration.ofSeconds(10));
        zeroOrAtLeast("maxLifetime", maxLifetime, Duration.ofSeconds(30));
        zeroOrAtLeast("keepalive", keepalive, Duration.ofSeconds(30));
        require(statementCache >= 0, "statementCache must not be negative, as " + statementCache + " is");
        require(
                maxLifetime.isZero() || keepalive.compareTo(maxLifetime) < 0,
                "keepalive must be shorter than the maxLifetime of " + maxLifetime + ", not " + keepalive);
    }

    /**
     * Settings that fit most uses.
     *
     * @return always the same settings
     */
    public static EngineSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Starts from the defaults.
     *
     * @return a new builder, for one thread at a time
     */
    public static Builder builder() {
        return new Builder();
    }

    /** The settings in which another object differs from this one, with both values. */
    List<String> differencesTo(EngineSettings asked) {
        List<String> differences = new ArrayList<>();
        for (RecordComponent component : EngineSettings.class.getRecordComponents()) {
            try {
                Object mine = component.getAccessor().invoke(this);
                Object other = component.getAccessor().invoke(asked);
                if (!Objects.equals(mine, other)) {
                    differences.add(component.getName() + " is " + mine + ", not " + other);
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("A record has no accessor for its " + component.getName(), e);
            }
        }
        return differences;
    }

    private static void zeroOrAtLeast(String name, Duration value, Duration least) {
        if (!value.isZero()) {
            atLeast(name, value, least);
        }
    }

    private static void atLeast(String name, Duration value, Duration least) {
        require(value.compareTo(least) >= 0, name + " must be at least " + least + ", not " + value);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Collects settings; each has the default until it is set. For one thread at a time. */
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
         * Limits the number of connections.
         *
         * @param poolSize how many connections there are at most; at least 1
         * @return this builder
         */
        public Builder poolSize(int poolSize) {
            this.poolSize = poolSize;
            return this;
        }

        /**
         * Keeps connections at hand.
         *
         * @param minimumIdle how many unused connections are kept
         * @return this builder
         */
        public Builder minimumIdle(int minimumIdle) {
            this.minimumIdle = minimumIdle;
            return this;
        }

        /**
         * Limits the wait for a connection.
         *
         * @param connectionTimeout how long a caller waits for a connection, and for the first answer of a server
         * @return this builder
         */
        public Builder connectionTimeout(Duration connectionTimeout) {
            this.connectionTimeout = connectionTimeout;
            return this;
        }

        /**
         * Limits the wait for each answer of a PostgreSQL server, so that a dead server does not block threads for ever.
         *
         * <p>A statement without an answer fails, and its connection leaves the pool. Statements that take longer fail as well,
         * such as long queries and waits for a lock, so there is no limit by default. Migrations have none. The driver counts in
         * seconds; fractions are rounded up. The URL parameter {@code socketTimeout} does the same; an engine whose URL and
         * settings give different limits cannot be created. On SQLite this setting has no effect.
         *
         * @param socketTimeout the longest wait for an answer, zero for no limit
         * @return this builder
         */
        public Builder socketTimeout(Duration socketTimeout) {
            this.socketTimeout = socketTimeout;
            return this;
        }

        /**
         * Limits the wait for locks of SQLite.
         *
         * @param busyTimeout how long a connection waits for the lock of another; zero for not at all
         * @return this builder
         */
        public Builder busyTimeout(Duration busyTimeout) {
            this.busyTimeout = busyTimeout;
            return this;
        }

        /**
         * Lets connections go that nobody uses.
         *
         * @param idleTimeout after what time an unused connection above the minimum is closed, zero for never
         * @return this builder
         */
        public Builder idleTimeout(Duration idleTimeout) {
            this.idleTimeout = idleTimeout;
            return this;
        }

        /**
         * Replaces connections by and by.
         *
         * @param maxLifetime after what time a connection is replaced, zero for never
         * @return this builder
         */
        public Builder maxLifetime(Duration maxLifetime) {
            this.maxLifetime = maxLifetime;
            return this;
        }

        /**
         * Checks connections that nobody uses.
         *
         * @param keepalive how often an unused connection is checked, zero for never
         * @return this builder
         */
        public Builder keepalive(Duration keepalive) {
            this.keepalive = keepalive;
            return this;
        }

        /**
         * Switches foreign keys of SQLite.
         *
         * @param foreignKeys whether they are enforced
         * @return this builder
         */
        public Builder foreignKeys(boolean foreignKeys) {
            this.foreignKeys = foreignKeys;
            return this;
        }

        /**
         * Sets the isolation of plain transactions on PostgreSQL: those on connections of {@link Engine#dataSource}. Units of
         * work have a setting of their own.
         *
         * <p>By default the server decides, and the engine sends no command. Otherwise the pool sets the isolation for the
         * session of each connection. Behind a proxy that shares sessions, such as PgBouncer, the setting would reach other
         * clients and miss this one, so the engine cannot be created. On SQLite this setting has no effect.
         *
         * @param isolation how much transactions see of each other, or {@code null} for the server's default
         * @return this builder
         */
        public Builder isolation(@Nullable Isolation isolation) {
            this.isolation = isolation;
            return this;
        }

        /**
         * Sets the number of prepared statements that each connection to SQLite keeps for their next use.
         *
         * <p>SQLite needs longer to prepare a small statement than to run it. A connection therefore keeps the prepared statements
         * that query or change rows, and closes the least recently used ones above this number. A kept statement has no parameters,
         * limits or rows of its former user. Texts above 8,192 characters are not kept. On PostgreSQL this setting has no effect,
         * as the driver keeps statements itself.
         *
         * @param statementCache the largest number of statements for each connection, 0 for none
         * @return this builder
         */
        public Builder statementCache(int statementCache) {
            this.statementCache = statementCache;
            return this;
        }

        /**
         * Shows the pool in JMX.
         *
         * @param jmx whether the pool registers itself with the platform's MBean server
         * @return this builder
         */
        public Builder jmx(boolean jmx) {
            this.jmx = jmx;
            return this;
        }

        /**
         * Passes the pool's measurements on.
         *
         * @param metrics what takes them; replaces another one
         * @return this builder
         */
        public Builder metrics(MetricsTrackerFactory metrics) {
            this.metrics = metrics;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return what was set, and the defaults for the rest
         * @throws IllegalArgumentException if a setting cannot be; the message names it
         */
        public EngineSettings build() {
            return new EngineSettings(
                    poolSize,
                    minimumIdle,
                    connectionTimeout,
                    socketTimeout,
                    busyTimeout,
                    idleTimeout,
                    maxLifetime,
                    keepalive,
                    foreignKeys,
                    isolation,
                    statementCache,
                    jmx,
                    metrics);
        }
    }
}
