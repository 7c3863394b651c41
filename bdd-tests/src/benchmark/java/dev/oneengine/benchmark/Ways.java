package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Way.Check;
import dev.oneengine.benchmark.Way.Work;
import dev.oneengine.cache.Engine;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The ways to run a task in a transaction, each as its library documents it. Immutable and thread-safe. */
final class Ways {
    static final String UNIT = "UnitOfWork.call";
    static final String READ = "UnitOfWork.read";
    static final String PLAIN = "plain JDBC" + Store.ON_DRIVER;
    static final String AUTO_COMMIT = "auto-commit" + Store.ON_DRIVER;

    private final Task task;

    Ways(Task task) {
        this.task = task;
    }

    private static Engine engine(Store store) {
        return Objects.requireNonNull(store.engine());
    }

    private Way way(String name, Store store, Work work) {
        return new Way(name, work, check(store.dataSource()));
    }

    private Check check(DataSource dataSource) {
        return tally -> {
            try (Connection connection = dataSource.getConnection()) {
                task.check(connection, tally);
            }
        };
    }

    /** Checks a result and returns 1, the number of operations. */
    private long one(long result) {
        if (result != task.result()) {
            throw new AssertionError("The result is " + result + " instead of " + task.result());
        }
        return 1;
    }

    /** Plain JDBC in a transaction. */
    Way plain(Store store) {
        return way("plain JDBC" + store.suffix(), store, transaction(store, null));
    }

    /** Plain JDBC on H2. */
    Way h2(Store store) {
        return way("plain JDBC on H2", store, transaction(store, null));
    }

    /** Plain JDBC in a transaction that begins with a separate statement. */
    Way plainWith(String name, Store store, String first) {
        return way(name, store, transaction(store, first));
    }

    private Work transaction(Store store, String first) {
        DataSource dataSource = store.dataSource();
        return () -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    if (first != null) {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute(first);
                        }
                    }
                    long result = task.jdbc(connection);
                    connection.commit();
                    return one(result);
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    throw e;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        };
    }

    /** Plain JDBC that retries transactions on conflicts, as the documentation of PostgreSQL requires. */
    Way retrying(Store store) {
        Work transaction = transaction(store, null);
        return way("plain JDBC" + store.suffix(), store, () -> {
            while (true) {
                try {
                    return transaction.run();
                } catch (SQLException e) {
                    String state = e.getSQLState();
                    if (state == null || !state.startsWith("40")) {
                        throw e;
                    }
                }
            }
        });
    }

    /** Plain JDBC in auto-commit mode, one transaction per statement. */
    Way autoCommit(Store store) {
        DataSource dataSource = store.dataSource();
        return way("auto-commit" + store.suffix(), store, () -> {
            try (Connection connection = dataSource.getConnection()) {
                return one(task.jdbc(connection));
            }
        });
    }

    /** Plain JDBC on one connection with prepared statements that stay open. */
    Way kept(Store store, Databases databases) throws SQLException {
        Connection connection = databases.closing(store.dataSource().getConnection());
        String[] texts = task.statements();
        PreparedStatement[] statements = new PreparedStatement[texts.length];
        for (int i = 0; i < texts.length; i++) {
            statements[i] = databases.closing(connection.prepareStatement(texts[i]));
        }
        return way("statements kept by hand", store, () -> {
            connection.setAutoCommit(false);
            try {
                long result = task.kept(statements);
                connection.commit();
                return one(result);
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        });
    }

    /** A unit of work that runs plain JDBC. */
    Way unit(Store store) {
        UnitOfWork units = UnitOfWork.on(engine(store));
        return way(UNIT, store, () -> one(units.<Long, SQLException>call(tx -> task.jdbc(tx.connection()))));
    }

    /** A read-only unit of work. */
    Way read(Store store) {
        UnitOfWork units = UnitOfWork.on(engine(store));
        return way(READ, store, () -> one(units.<Long, SQLException>read(tx -> task.jdbc(tx.connection()))));
    }

    Way spring(Store store) {
        TransactionTemplate transactions =
                new TransactionTemplate(new DataSourceTransactionManager(store.dataSource()));
        JdbcTemplate template = new JdbcTemplate(store.dataSource());
        return way(
                "Spring" + store.suffix(),
                store,
                () -> one(Objects.requireNonNull(transactions.execute(status -> task.spring(template)))));
    }

    Way jdbi(Store store) {
        Jdbi jdbi = Jdbi.create(store.dataSource());
        return way("Jdbi" + store.suffix(), store, () -> one(jdbi.inTransaction(task::jdbi)));
    }

    Way jooq(Store store) {
        DSLContext context = DSL.using(store.dataSource(), store.dialect());
        return way(
                "jOOQ" + store.suffix(),
                store,
                () -> one(context.transactionResult(transaction -> task.jooq(transaction.dsl()))));
    }
}
