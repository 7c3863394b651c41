package dev.oneengine.migration;

import dev.oneengine.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Counts rows of tables. Stateless and thread-safe. */
final class Rows {
    private Rows() {}

    static int count(Connection connection, String table) throws SQLException {
        return Integer.parseInt(Sql.query(connection, "SELECT count(*) FROM " + table));
    }
}
