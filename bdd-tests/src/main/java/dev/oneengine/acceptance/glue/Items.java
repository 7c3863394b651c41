package dev.oneengine.acceptance.glue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The table that most scenarios write to. Stateless and thread-safe. */
final class Items {
    static final String TABLE = "item";

    private Items() {}

    static void createTable(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            createTable(connection);
        }
    }

    static void createTable(Connection connection) throws SQLException {
        Jdbc.execute(connection, "CREATE TABLE " + TABLE + "(name VARCHAR(100) PRIMARY KEY)");
    }

    static void add(DataSource dataSource, String name) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            add(connection, name);
        }
    }

    static void add(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO item VALUES (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    static List<String> all(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return all(connection);
        }
    }

    static List<String> all(Connection connection) throws SQLException {
        return Jdbc.strings(connection, "SELECT name FROM item ORDER BY name");
    }
}
