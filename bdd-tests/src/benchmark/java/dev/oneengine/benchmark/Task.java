package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Way.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jooq.DSLContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The same SQL through the API of each library. Stateless and thread-safe. */
interface Task {
    /** The result of each method below. */
    long result();

    long jdbc(Connection connection) throws SQLException;

    default long spring(JdbcTemplate template) {
        throw new UnsupportedOperationException();
    }

    default long jdbi(Handle handle) {
        throw new UnsupportedOperationException();
    }

    default long jooq(DSLContext context) {
        throw new UnsupportedOperationException();
    }

    /** The SQL of the statements that {@link #kept} keeps. */
    default String[] statements() {
        throw new UnsupportedOperationException();
    }

    default long kept(PreparedStatement[] statements) throws SQLException {
        throw new UnsupportedOperationException();
    }

    /** Compares the database with the reported operations. */
    default void check(Connection connection, Tally tally) throws SQLException {
        // Nothing to check: each execution of a query checks its own result.
    }

    /** The number that a query finds. */
    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
