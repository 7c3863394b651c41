package dev.oneengine.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** The tables of all comparisons. Stateless and thread-safe. */
final class Shop {
    /** The number of products, of customers and of lines. */
    static final int ROWS = 1_000;

    /** The price of each product without the discount. */
    static final int LIST_PRICE = 9;

    static final int DISCOUNT = 2;

    /** The quantity of each line. */
    static final int QUANTITY = 3;

    /** The stock of each product, more than all comparisons sell. */
    static final int STOCK = 1_000_000_000;

    private static final int SUPPLIERS = 10;

    private Shop() {}

    static void create(DataSource dataSource, boolean analyse) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE supplier(id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, discount INTEGER NOT NULL)");
                statement.execute(
                        "CREATE TABLE product(id INTEGER PRIMARY KEY, supplier_id INTEGER NOT NULL"
                                + " REFERENCES supplier, name VARCHAR(40) NOT NULL, price INTEGER NOT NULL, stock INTEGER NOT NULL)");
                statement.execute("CREATE TABLE customer(id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,"
                        + " orders INTEGER NOT NULL, spent INTEGER NOT NULL)");
                statement.execute("CREATE TABLE line(id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,"
                        + " quantity INTEGER NOT NULL, note VARCHAR(40) NOT NULL)");
                statement.execute("CREATE TABLE entry(customer_id INTEGER NOT NULL, amount INTEGER NOT NULL,"
                        + " note VARCHAR(40) NOT NULL)");
            }
            connection.setAutoCommit(false);
            fill(connection);
            connection.commit();
            connection.setAutoCommit(true);
            if (analyse) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("ANALYZE");
                }
            }
        }
    }

    private static void fill(Connection connection) throws SQLException {
        insert(connection, SUPPLIERS, "INSERT INTO supplier VALUES (?, 'a supplier', " + DISCOUNT + ")");
        insert(connection, ROWS, "INSERT INTO product VALUES (?, 1, 'a product', " + LIST_PRICE + ", " + STOCK + ")");
        insert(connection, ROWS, "INSERT INTO customer VALUES (?, 'a customer', 0, 0)");
        insert(connection, ROWS, "INSERT INTO line VALUES (?, 'a line', " + QUANTITY + ", 'of some order')");
    }

    private static void insert(Connection connection, int rows, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int id = 1; id <= rows; id++) {
                statement.setInt(1, id);
                statement.executeUpdate();
            }
        }
    }

    /** Any product or customer. */
    static int anyId() {
        return ThreadLocalRandom.current().nextInt(ROWS) + 1;
    }
}
