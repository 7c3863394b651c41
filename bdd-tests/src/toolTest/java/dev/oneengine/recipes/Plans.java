package dev.oneengine.recipes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Plain JDBC on the table of the recipes. Stateless and thread-safe. */
final class Plans {
    private Plans() {}

    static void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO plan(name) VALUES (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    static int count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM plan")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    static int count(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return count(connection);
        }
    }
}
