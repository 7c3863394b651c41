package dev.oneengine.acceptance;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.testing.Proxies;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** The correct way to open the database of a URL, and wrong ones. Stateless and thread-safe. */
final class HandMadeDatabases {
    private HandMadeDatabases() {}

    /** Opens the database of a URL. All connections share it and wait for each other. */
    static HandMadeEngine open(String url) throws SQLException {
        if (url.startsWith("postgresql:")) {
            return pooled("jdbc:" + url.replace("postgres@", "") + "?user=postgres");
        }
        return isInMemory(url) ? memory(url) : file(url, "&transaction_mode=IMMEDIATE");
    }

    private static boolean isInMemory(String url) {
        return url.contains("mode=memory") || url.contains(":memory:");
    }

    /** Opens a new database in memory, whatever the URL. */
    static HandMadeEngine memory(String url) throws SQLException {
        return memoryOf(UUID.randomUUID().toString());
    }

    /** Opens a database in memory that all caches of the process share. */
    static HandMadeEngine memoryOfAllCaches(String url) throws SQLException {
        return memoryOf(url.replaceAll("\\W", ""));
    }

    /** Opens the database in memory with a name. */
    static HandMadeEngine memoryOf(String name) throws SQLException {
        return anchored("jdbc:sqlite:file:/" + name + "?vfs=memdb&transaction_mode=IMMEDIATE");
    }

    /** Opens a database whose connections do not wait for each other. */
    static HandMadeEngine sharedCache(String url) throws SQLException {
        return anchored("jdbc:sqlite:file:" + UUID.randomUUID() + "?mode=memory&cache=shared");
    }

    /** Opens a database for each connection. */
    static HandMadeEngine plainMemory(String url) {
        return pooled("jdbc:sqlite::memory:");
    }

    /** Opens a file whose transactions begin as readers. A reader cannot become a writer while another one writes. */
    static HandMadeEngine deferredFile(String url) throws SQLException {
        return isInMemory(url) ? memory(url) : file(url, "");
    }

    /** Opens one connection that all callers share, as with SQLAlchemy's {@code StaticPool}. */
    static HandMadeEngine oneConnection(String url) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Connection shared = Proxies.of(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("close")) {
                return null;
            }
            return method.invoke(connection, arguments);
        });
        return new HandMadeEngine(Proxies.of(DataSource.class, (self, method, arguments) -> shared), connection);
    }

    private static HandMadeEngine file(String url, String parameters) {
        return pooled(url + "?journal_mode=WAL&busy_timeout=5000" + parameters);
    }

    private static HandMadeEngine anchored(String url) throws SQLException {
        Connection anchor = DriverManager.getConnection(url);
        HikariDataSource pool = pool(url + "&busy_timeout=5000");
        return new HandMadeEngine(pool, () -> {
            pool.close();
            anchor.close();
        });
    }

    private static HandMadeEngine pooled(String url) {
        HikariDataSource pool = pool(url);
        return new HandMadeEngine(pool, pool);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMinimumIdle(url.startsWith("jdbc:sqlite:") ? 0 : 1); // an engine of a server keeps a connection
        return new HikariDataSource(config);
    }
}
