package dev.oneengine.acceptance;

import java.sql.Connection;

/** Units of work without a transaction: the database commits each statement. Thread-safe. */
record AutoCommitWork(HandMadeWork.Source source) implements WorkUnderTest {
    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    @Override
    public void run(Body body) throws Exception {
        try (Connection connection = source.get().dataSource().getConnection()) {
            body.run(new Tx(JdbcConnection.of(connection)));
        }
    }

    private record Tx(ConnectionUnderTest connection) implements TransactionUnderTest {
        @Override
        public void nested(Body body) throws Exception {
            body.run(this);
        }
    }
}
