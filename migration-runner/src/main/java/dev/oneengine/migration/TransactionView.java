package dev.oneengine.migration;

import dev.oneengine.cache.internal.SqlTokens;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection for Flyway whose transaction belongs to an owner. Flyway cannot begin or commit it. The owner decides the effect of a
 * rollback and of a close. SQL that would end the transaction fails. Confined to its thread.
 */
final class TransactionView {
    /** The message for a migration that ends the shared transaction. */
    static final String ENDED = "a migration committed or rolled back the transaction that all migrations of a "
            + "run share; remove that from it, or give each migration its own transaction by "
            + "configure(flyway -> flyway.group(false))";

    private static final Set<String> ENDS = Set.of("COMMIT", "END", "ABORT", "ROLLBACK");

    private final Connection connection;
    private final Owner owner;

    /** The auto-commit mode that Flyway has set. The connection itself does not change. */
    private boolean autoCommit = true;

    private boolean closed;

    private TransactionView(Connection connection, Owner owner) {
        this.connection = connection;
        this.owner = owner;
    }

    /** The code that begins and ends the transaction. */
    @FunctionalInterface
    interface Owner {
        /** Called for each rollback of the whole transaction. */
        void rollback() throws SQLException;

        /** Called once, for the first close. */
        default void closed() throws SQLException {}
    }

    static Connection of(Connection connection, Owner owner) {
        return Jdbc.proxy(Connection.class, new TransactionView(connection, owner)::invoke);
    }

    private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "setAutoCommit" -> {
                autoCommit = (Boolean) Objects.requireNonNull(arguments)[0];
                return null;
            }
            case "getAutoCommit" -> {
                return autoCommit;
            }
            case "commit" -> {
                return null;
            }
            case "close" -> {
                if (!closed) {
                    closed = true;
                    owner.closed();
                }
                return null;
            }
            case "isClosed" -> {
                return closed;
            }
            default -> {
                if (method.getName().equals("rollback") && arguments == null) {
                    owner.rollback();
                    return null;
                }
                requireNoEnd(method, arguments);
                Object result = Jdbc.call(connection, method, arguments);
                return result instanceof Statement statement
                        ? guarded(statement, method.getReturnType(), proxy)
                        : result;
            }
        }
    }

    /** Wraps a statement so that it cannot end the transaction, and so that its connection is this view. */
    private static Object guarded(Statement statement, Class<?> type, Object view) {
        return Jdbc.proxy(type, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return view;
            }
            requireNoEnd(method, arguments);
            return Jdbc.call(statement, method, arguments);
        });
    }

    private static void requireNoEnd(Method method, Object @Nullable [] arguments) throws SQLException {
        boolean takesSql = method.getName().startsWith("prepare")
                || method.getName().startsWith("execute")
                || method.getName().equals("addBatch");
        if (takesSql && arguments != null && arguments[0] instanceof String sql && endsTransaction(sql)) {
            throw new SQLException(ENDED);
        }
    }

    /** Whether a statement ends the transaction in any dialect. A rollback to a savepoint does not. */
    private static boolean endsTransaction(String sql) {
        return Arrays.stream(Dialect.values()).anyMatch(dialect -> endsTransaction(new SqlTokens(sql, dialect)));
    }

    private static boolean endsTransaction(SqlTokens tokens) {
        if (!ENDS.contains(tokens.next())) {
            return false;
        }
        String next = tokens.next();
        boolean filler = next.equals("WORK") || next.equals("TRANSACTION");
        return !(filler ? tokens.next() : next).equals("TO");
    }
}
