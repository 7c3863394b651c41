package dev.oneengine.cache;

import java.time.Duration;
import java.util.Properties;

/** Driver properties by which a connection to PostgreSQL notices a dead server. Stateless and thread-safe. */
final class PostgresSockets {
    private static final String SOCKET_TIMEOUT = "socketTimeout";

    private PostgresSockets() {}

    /**
     * Adds what the URL leaves open.
     *
     * @param properties the driver properties, with the parameters of the URL
     * @throws IllegalArgumentException if URL and settings give different socket timeouts
     */
    static void configure(Properties properties, EngineSettings settings) {
        properties.putIfAbsent("tcpKeepAlive", "true");
        Duration timeout = settings.socketTimeout();
        if (timeout.isZero()) {
            return;
        }
        String seconds = Long.toString(timeout.plusNanos(999_999_999).toSeconds());
        Object inUrl = properties.putIfAbsent(SOCKET_TIMEOUT, seconds);
        if (inUrl != null && !inUrl.equals(seconds)) {
            throw new IllegalArgumentException("the parameter socketTimeout is " + inUrl
                    + ", but the setting socketTimeout is " + timeout + "; remove one of them");
        }
    }
}
