package dev.oneengine.work;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The table that most tests write to. Stateless and thread-safe. */
final class Items {
    private Items() {}

    /** Creates a cache with an engine for an empty database with the table. */
    static EngineCache cacheWithTable(String url) throws SQLException {
        EngineCache cache = EngineCache.create();
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE item(name TEXT PRIMARY KEY)");
        return cache;
    }

    static void insert(Transaction tx, String name) throws SQLException {
        insert(tx.connection(), name);
    }

    static void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO item VALUES (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    static List<String> in(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return in(connection);
        }
    }

    static List<String> in(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT name FROM item ORDER BY name")) {
            while (result.next()) {
                names.add(result.getString(1));
            }
        }
        return names;
    }
}
