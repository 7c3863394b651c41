package dev.oneengine.cache;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The timeouts of a connection to a PostgreSQL server. Stateless and thread-safe. */
final class PostgresTimeouts {
    private static final String SOCKET_TIMEOUT = "socketTimeout";
    private static final String LOGIN_TIMEOUT = "loginTimeout";

    private PostgresTimeouts() {}

    /**
     * Adds the properties that the URL leaves open.
     *
     * @param properties the driver properties, with the parameters of the URL
     * @throws IllegalArgumentException if URL and settings have different socket timeouts
     */
    static void configure(Properties properties, EngineSettings settings) {
        properties.putIfAbsent("tcpKeepAlive", "true");
        properties.putIfAbsent(LOGIN_TIMEOUT, Double.toString(settings.connectionTimeout.toMillis() / 1000.0));
        Duration timeout = settings.socketTimeout;
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

    /**
     * Connects. After the login timeout, the driver abandons its connecting thread, which would wait for a silent server for ever. So the
     * login timeout also limits the wait for each answer until there is a connection.
     *
     * @param properties the driver properties, which this changes
     * @return the connection, or {@code null} if the driver does not support the URL
     */
    static @Nullable Connection connect(DriverDataSource.Connector driver, String jdbcUrl, Properties properties)
            throws SQLException {
        int login = (int) Math.ceil(seconds(properties, LOGIN_TIMEOUT));
        double socket = seconds(properties, SOCKET_TIMEOUT);
        boolean limits = login > 0 && (socket == 0 || login < socket);
        if (!limits) {
            return driver.connect(jdbcUrl, properties);
        }
        properties.setProperty(SOCKET_TIMEOUT, Integer.toString(login));
        return driver.connect(
                jdbcUrl, properties, connection -> connection.setNetworkTimeout(Runnable::run, (int) (socket * 1000)));
    }

    private static double seconds(Properties properties, String name) {
        return Double.parseDouble(properties.getProperty(name, "0"));
    }
}
