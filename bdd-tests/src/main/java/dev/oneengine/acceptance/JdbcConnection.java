package dev.oneengine.acceptance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A connection of an engine that uses JDBC. Confined to its thread. */
public final class JdbcConnection implements ConnectionUnderTest {
    private final Connection connection;

    private JdbcConnection(Connection connection) {
        this.connection = connection;
    }

    /**
     * Adapts a connection.
     *
     * @param connection an open connection, which {@link #close} closes
     * @return its adapter
     */
    public static JdbcConnection of(Connection connection) {
        return new JdbcConnection(connection);
    }

    /**
     * Takes a connection from a data source.
     *
     * @param dataSource the data source of an engine
     * @return the adapter of a new connection
     * @throws SQLException if there is no connection
     */
    public static JdbcConnection open(DataSource dataSource) throws SQLException {
        return new JdbcConnection(dataSource.getConnection());
    }

    @Override
    public List<String> sql(String sql) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        strings.add(rows.getString(1));
                    }
                }
            }
        }
        return strings;
    }

    @Override
    public void begin() throws SQLException {
        connection.setAutoCommit(false);
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
    }

    @Override
    public void switchToAutoCommit() throws SQLException {
        connection.setAutoCommit(true);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
