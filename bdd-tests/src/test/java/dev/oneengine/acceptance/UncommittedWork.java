package dev.oneengine.acceptance;

import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Units of work that never commit, and whose read-only calls never run. Confined to its thread. */
final class UncommittedWork implements WorkUnderTest {
    private final HandMadeWork.Source source;
    private @Nullable Tx open;

    UncommittedWork(HandMadeWork.Source source) {
        this.source = source;
    }

    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    @Override
    public void run(Body body) throws Exception {
        if (open != null) {
            body.run(open);
            return;
        }
        try (Connection connection = source.get().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            open = new Tx(JdbcConnection.of(connection), new HashMap<>());
            try {
                body.run(open);
            } finally {
                open = null;
                connection.rollback();
            }
        }
    }

    @Override
    public void read(Body body) {}

    @Override
    public ByHand begin() throws Exception {
        Connection connection = source.get().dataSource().getConnection();
        connection.setAutoCommit(false);
        return new OpenTx(JdbcConnection.of(connection));
    }

    private record Tx(ConnectionUnderTest connection, Map<Class<?>, Object> repositories)
            implements TransactionUnderTest {
        @Override
        public void nested(Body body) throws Exception {
            body.run(this);
        }

        @Override
        public <T> T repository(Class<T> type, Function<ConnectionUnderTest, T> factory) {
            return type.cast(repositories.computeIfAbsent(type, any -> factory.apply(connection)));
        }
    }

    private record OpenTx(ConnectionUnderTest connection) implements WorkUnderTest.ByHand {
        @Override
        public void commit() {}

        @Override
        public void close() throws Exception {
            connection.rollback();
            connection.close();
        }
    }
}
