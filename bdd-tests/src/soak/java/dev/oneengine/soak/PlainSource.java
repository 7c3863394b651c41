package dev.oneengine.soak;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Proxies;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A caller's engine on the plain driver of SQLite. Its pool resets nothing: it lends a connection in the state in which
 * the last user returned it. Confined to its thread.
 */
final class PlainSource implements EngineSource {
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final SQLiteDataSource driver;

    PlainSource(DatabaseUrl url) {
        SQLiteConfig config = new SQLiteConfig();
        config.enforceForeignKeys(true);
        driver = new SQLiteDataSource(config);
        driver.setUrl(url.jdbcUrl());
    }

    @Override
    public DataSource dataSource() {
        return Proxies.of(DataSource.class, (self, method, arguments) -> {
            if (method.getName().equals("equals")) {
                return self == arguments[0];
            }
            boolean connects = method.getName().equals("getConnection") && arguments == null;
            return connects ? pooled() : method.invoke(driver, arguments);
        });
    }

    private Connection pooled() throws SQLException {
        Connection connection = idle.isEmpty() ? driver.getConnection() : idle.pop();
        boolean[] returned = new boolean[1];
        return Proxies.of(Connection.class, (self, method, arguments) -> {
            switch (method.getName()) {
                case "close" -> {
                    if (!returned[0]) {
                        returned[0] = true;
                        idle.push(connection);
                    }
                    return null;
                }
                case "isClosed" -> {
                    return returned[0] || connection.isClosed();
                }
                default -> {
                    return method.invoke(connection, arguments);
                }
            }
        });
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : idle) {
            connection.close();
        }
    }
}
