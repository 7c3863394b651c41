package dev.oneengine.acceptance;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** The connections behind a pool. Stateless and thread-safe. */
final class PhysicalConnections {
    private PhysicalConnections() {}

    /** Lets a pool close its idle connections and waits until the first one is closed: the pool closes them on another thread. */
    static void close(HikariDataSource pool) throws SQLException {
        SQLiteConnection first;
        try (Connection connection = pool.getConnection()) {
            first = connection.unwrap(SQLiteConnection.class);
        }
        pool.getHikariPoolMXBean().softEvictConnections();
        await().until(first::isClosed);
    }
}
