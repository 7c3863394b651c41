package dev.oneengine.acceptance;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/** Units of work that implement every feature, each one wrongly. Thread-safe. */
final class NaiveWork implements WorkUnderTest {
    private static final ThreadLocal<Connection> OPEN = new ThreadLocal<>();

    private final HandMadeWork.Source source;

    NaiveWork(HandMadeWork.Source source) {
        this.source = source;
    }

    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    @Override
    public void run(Body body) throws Exception {
        try {
            runOnce(body);
        } catch (SQLException e) {
            runOnce(body); // retries a failure that is not a conflict
        }
    }

    private void runOnce(Body body) throws Exception {
        if (OPEN.get() != null) {
            end(OPEN.get(), body); // ends the transaction of the outer unit
            return;
        }
        try (Connection connection = source.get().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            OPEN.set(connection);
            end(connection, body);
        } finally {
            OPEN.remove();
        }
    }

    private static void end(Connection connection, Body body) throws Exception {
        try {
            body.run(new Tx(JdbcConnection.of(connection)));
            connection.commit();
        } catch (Throwable t) {
            connection.rollback();
            throw t;
        }
    }

    /** Lets read-only units write. */
    @Override
    public void read(Body body) throws Exception {
        run(body);
    }

    @Override
    public ByHand begin() throws Exception {
        Connection connection = source.get().dataSource().getConnection();
        connection.setAutoCommit(false);
        return new OpenTx(JdbcConnection.of(connection));
    }

    private record Tx(ConnectionUnderTest connection) implements TransactionUnderTest {
        /** Runs a nested transaction without a savepoint. */
        @Override
        public void nested(Body body) throws Exception {
            body.run(this);
        }

        /** Runs the hook at once instead of after the commit. */
        @Override
        public void afterCommit(Runnable hook) {
            hook.run();
        }

        /** Also runs the hook at once. */
        @Override
        public void afterRollback(Runnable hook) {
            hook.run();
        }

        /** Creates another repository at each call. */
        @Override
        public <T> T repository(Class<T> type, Function<ConnectionUnderTest, T> factory) {
            return factory.apply(connection);
        }
    }

    private record OpenTx(ConnectionUnderTest connection) implements WorkUnderTest.ByHand {
        @Override
        public void commit() throws Exception {
            connection.commit();
        }

        /** Commits although the caller has not. */
        @Override
        public void close() throws Exception {
            connection.commit();
            connection.close();
        }
    }
}
