package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Way.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.springframework.jdbc.core.JdbcTemplate;

/** The tasks. Stateless and thread-safe. */
final class Tasks {
    static final Task ORDER = new Order();
    static final Task UPDATE = new Updates(1);
    static final Task FIVE_UPDATES = new Updates(5);
    static final Task ROW = new Row();
    static final Task ROWS = new Rows();
    static final Task INSERTS = new Inserts();

    private Tasks() {}

    private static int one(int updated) {
        if (updated != 1) {
            throw new IllegalStateException("Updated " + updated + " rows instead of 1");
        }
        return updated;
    }

    private static long update(PreparedStatement statement, int amount, int id) throws SQLException {
        statement.setInt(1, amount);
        statement.setInt(2, id);
        return one(statement.executeUpdate());
    }

    private static long update(Connection connection, String sql, int amount, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return update(statement, amount, id);
        }
    }

    /** Reads an offer, takes it from the stock and charges it to a customer. */
    private static final class Order implements Task {
        private static final String FIND = "SELECT p.name, p.price, s.name, s.discount FROM product p"
                + " JOIN supplier s ON s.id = p.supplier_id WHERE p.id = ?";
        private static final String TAKE = "UPDATE product SET stock = stock - ? WHERE id = ? AND stock >= ?";
        private static final String CHARGE = "UPDATE customer SET orders = orders + 1, spent = spent + ? WHERE id = ?";

        /** A product of a supplier. */
        private record Offer(String product, int listPrice, String supplier, int discount) {
            static Offer of(ResultSet rows) throws SQLException {
                return new Offer(rows.getString(1), rows.getInt(2), rows.getString(3), rows.getInt(4));
            }

            int price() {
                return product.isEmpty() || supplier.isEmpty() ? 0 : listPrice - discount;
            }
        }

        @Override
        public long result() {
            return Shop.LIST_PRICE - Shop.DISCOUNT;
        }

        @Override
        public long jdbc(Connection connection) throws SQLException {
            int product = Shop.anyId();
            int price;
            try (PreparedStatement statement = connection.prepareStatement(FIND)) {
                price = find(statement, product);
            }
            try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
                take(statement, product);
            }
            try (PreparedStatement statement = connection.prepareStatement(CHARGE)) {
                update(statement, price, Shop.anyId());
            }
            return price;
        }

        private static int find(PreparedStatement statement, int product) throws SQLException {
            statement.setInt(1, product);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return Offer.of(rows).price();
            }
        }

        private static void take(PreparedStatement statement, int product) throws SQLException {
            statement.setInt(1, 1);
            statement.setInt(2, product);
            statement.setInt(3, 1);
            one(statement.executeUpdate());
        }

        @Override
        public String[] statements() {
            return new String[] {FIND, TAKE, CHARGE};
        }

        @Override
        public long kept(PreparedStatement[] statements) throws SQLException {
            int product = Shop.anyId();
            int price = find(statements[0], product);
            take(statements[1], product);
            update(statements[2], price, Shop.anyId());
            return price;
        }

        @Override
        public long spring(JdbcTemplate template) {
            int product = Shop.anyId();
            Offer offer = template.queryForObject(FIND, (rows, number) -> Offer.of(rows), product);
            int price = Objects.requireNonNull(offer).price();
            one(template.update(TAKE, 1, product, 1));
            one(template.update(CHARGE, price, Shop.anyId()));
            return price;
        }

        @Override
        public long jdbi(Handle handle) {
            int product = Shop.anyId();
            int price = handle.createQuery(FIND)
                    .bind(0, product)
                    .map((rows, context) -> Offer.of(rows))
                    .one()
                    .price();
            one(handle.createUpdate(TAKE).bind(0, 1).bind(1, product).bind(2, 1).execute());
            one(handle.createUpdate(CHARGE).bind(0, price).bind(1, Shop.anyId()).execute());
            return price;
        }

        @Override
        public long jooq(DSLContext context) {
            int product = Shop.anyId();
            Record row = context.resultQuery(FIND, product).fetchSingle();
            int price = new Offer(
                            row.get(0, String.class),
                            row.get(1, int.class),
                            row.get(2, String.class),
                            row.get(3, int.class))
                    .price();
            one(context.execute(TAKE, 1, product, 1));
            one(context.execute(CHARGE, price, Shop.anyId()));
            return price;
        }

        @Override
        public void check(Connection connection, Tally tally) throws SQLException {
            long stock = Task.number(connection, "SELECT sum(stock) FROM product");
            long sold = (long) Shop.ROWS * Shop.STOCK - stock;
            tally.expect("orders", sold);
            long spent = Task.number(connection, "SELECT sum(spent) FROM customer");
            if (spent != sold * result()) {
                throw new AssertionError("An order was committed only in part: " + sold + " sold, " + spent + " spent");
            }
        }
    }

    /**
     * Changes some rows.
     *
     * @param times the number of rows
     */
    private record Updates(int times) implements Task {
        private static final String SQL = "UPDATE customer SET spent = spent + ? WHERE id = ?";

        @Override
        public long result() {
            return times;
        }

        @Override
        public long jdbc(Connection connection) throws SQLException {
            long updated = 0;
            for (int i = 0; i < times; i++) {
                updated += update(connection, SQL, 1, Shop.anyId());
            }
            return updated;
        }

        @Override
        public String[] statements() {
            return new String[] {SQL};
        }

        @Override
        public long kept(PreparedStatement[] statements) throws SQLException {
            return update(statements[0], 1, Shop.anyId());
        }

        @Override
        public long spring(JdbcTemplate template) {
            return template.update(SQL, 1, Shop.anyId());
        }

        @Override
        public long jdbi(Handle handle) {
            return handle.createUpdate(SQL).bind(0, 1).bind(1, Shop.anyId()).execute();
        }

        @Override
        public long jooq(DSLContext context) {
            return context.execute(SQL, 1, Shop.anyId());
        }

        @Override
        public void check(Connection connection, Tally tally) throws SQLException {
            long spent = Task.number(connection, "SELECT sum(spent) FROM customer");
            tally.expect("updates", spent / times);
        }
    }

    /** Finds one row by its key. */
    private static final class Row implements Task {
        private static final String SQL = "SELECT id, name, price, stock FROM product WHERE id = ?";

        @Override
        public long result() {
            return Shop.LIST_PRICE;
        }

        @Override
        public long jdbc(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                statement.setInt(1, Shop.anyId());
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return price(rows);
                }
            }
        }

        private static long price(ResultSet rows) throws SQLException {
            String name = rows.getString(2);
            return name.isEmpty() || rows.getInt(4) == 0 ? rows.getInt(1) : rows.getInt(3);
        }

        @Override
        public long spring(JdbcTemplate template) {
            return Objects.requireNonNull(template.queryForObject(SQL, (rows, number) -> price(rows), Shop.anyId()));
        }

        @Override
        public long jdbi(Handle handle) {
            return handle.createQuery(SQL)
                    .bind(0, Shop.anyId())
                    .map((rows, context) -> price(rows))
                    .one();
        }
    }

    /** Reads a whole table into a list. */
    private static final class Rows implements Task {
        private static final String SQL = "SELECT id, name, quantity, note FROM line";

        /** A row of the table. */
        private record Line(int id, String name, int quantity, String note) {
            static Line of(ResultSet rows) throws SQLException {
                return new Line(rows.getInt(1), rows.getString(2), rows.getInt(3), rows.getString(4));
            }
        }

        @Override
        public long result() {
            return (long) Shop.ROWS * Shop.QUANTITY;
        }

        private static long sum(List<Line> lines) {
            return lines.stream().mapToLong(Line::quantity).sum();
        }

        @Override
        public long jdbc(Connection connection) throws SQLException {
            List<Line> lines = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(SQL);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.add(Line.of(rows));
                }
            }
            return sum(lines);
        }

        @Override
        public long spring(JdbcTemplate template) {
            return sum(template.query(SQL, (rows, number) -> Line.of(rows)));
        }

        @Override
        public long jdbi(Handle handle) {
            return sum(handle.createQuery(SQL)
                    .map((rows, context) -> Line.of(rows))
                    .list());
        }
    }

    /** Adds many rows. */
    private static final class Inserts implements Task {
        private static final String SQL = "INSERT INTO entry VALUES (?, ?, ?)";
        private static final int TIMES = 100;

        @Override
        public long result() {
            return TIMES;
        }

        @Override
        public long jdbc(Connection connection) throws SQLException {
            long inserted = 0;
            try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                for (int i = 0; i < TIMES; i++) {
                    statement.setInt(1, i);
                    statement.setInt(2, 1);
                    statement.setString(3, "a note");
                    inserted += statement.executeUpdate();
                }
            }
            return inserted;
        }

        @Override
        public long spring(JdbcTemplate template) {
            List<Object[]> rows = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                rows.add(new Object[] {i, 1, "a note"});
            }
            return template.batchUpdate(SQL, rows).length;
        }

        @Override
        public long jdbi(Handle handle) {
            PreparedBatch batch = handle.prepareBatch(SQL);
            for (int i = 0; i < TIMES; i++) {
                batch.bind(0, i).bind(1, 1).bind(2, "a note").add();
            }
            return batch.execute().length;
        }

        @Override
        public void check(Connection connection, Tally tally) throws SQLException {
            tally.expect("inserts", Task.number(connection, "SELECT count(*) FROM entry") / TIMES);
        }
    }
}
