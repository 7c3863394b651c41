package dev.oneengine.cache;

import java.time.Duration;

/** The ranges of all {@link EngineSettings}. Stateless and thread-safe. */
final class SettingLimits {
    /** The longest timeout: drivers and sockets count milliseconds in an {@code int}. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(Integer.MAX_VALUE / 1000);

    private SettingLimits() {}

    /**
     * Checks settings.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names the setting
     */
    static void check(EngineSettings settings) {
        int poolSize = settings.poolSize;
        require(poolSize >= 1, "poolSize must be at least 1, not " + poolSize);
        require(
                settings.minimumIdle >= 0 && settings.minimumIdle <= poolSize,
                "minimumIdle must be between 0 and the poolSize of " + poolSize + ", not " + settings.minimumIdle);
        // HikariCP has the limits below. It would replace other values and only log a warning.
        atLeast("connectionTimeout", settings.connectionTimeout, Duration.ofMillis(250));
        atMostLongest("connectionTimeout", settings.connectionTimeout);
        atMostLongest("socketTimeout", settings.socketTimeout);
        atMostLongest("busyTimeout", settings.busyTimeout);
        zeroOrAtLeast("idleTimeout", settings.idleTimeout, Duration.ofSeconds(10));
        zeroOrAtLeast("maxLifetime", settings.maxLifetime, Duration.ofSeconds(30));
        zeroOrAtLeast("keepalive", settings.keepalive, Duration.ofSeconds(30));
        require(settings.statementCache >= 0, "statementCache must be at least 0, not " + settings.statementCache);
        require(
                settings.maxLifetime.isZero() || settings.keepalive.compareTo(settings.maxLifetime) < 0,
                "keepalive must be shorter than the maxLifetime of " + settings.maxLifetime + ", not "
                        + settings.keepalive);
    }

    private static void atMostLongest(String name, Duration value) {
        require(
                !value.isNegative() && value.compareTo(LONGEST_TIMEOUT) <= 0,
                name + " must be between zero and " + LONGEST_TIMEOUT + ", not " + value);
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
}
