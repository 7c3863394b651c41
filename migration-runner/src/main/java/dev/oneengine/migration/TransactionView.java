package dev.oneengine.migration;

import dev.oneengine.cache.internal.SqlTokens;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection for Flyway whose transaction belongs to an owner. Flyway cannot begin or commit it. The owner decides the effect of a
 * rollback and of a close. SQL that would end the transaction fails. Confined to its thread.
 */
final class TransactionView extends ForwardingConnection {
    /** The message for a migration that ends the shared transaction. */
    static final String ENDED = "a migration committed or rolled back the transaction that all migrations of a "
            + "run share; remove that from it, or give each migration its own transaction by "
            + "configure(flyway -> flyway.group(false))";

    private static final Set<String> ENDS = Set.of("COMMIT", "END", "ABORT", "ROLLBACK");

    private final Owner owner;

    /** The auto-commit mode that Flyway has set. The connection itself does not change. */
    private boolean autoCommit = true;

    private boolean closed;

    private TransactionView(Connection connection, Owner owner) {
        super(connection);
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
        return new TransactionView(connection, owner);
    }

    @Override
    public void setAutoCommit(boolean on) {
        autoCommit = on;
    }

    @Override
    public boolean getAutoCommit() {
        return autoCommit;
    }

    @Override
    public void commit() {
        // The owner commits.
    }

    @Override
    public void rollback() throws SQLException {
        owner.rollback();
    }

    @Override
    public void close() throws SQLException {
        if (!closed) {
            closed = true;
            owner.closed();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    void checkSql(@Nullable String sql) throws SQLException {
        if (sql != null && endsTransaction(sql)) {
            throw new SQLException(ENDED);
        }
    }

    @Override
    @Nullable Object guarded(@Nullable Object result, Class<?> type) {
        if (result instanceof CallableStatement statement) {
            return new ViewCallableStatement(statement, this);
        }
        if (result instanceof PreparedStatement statement) {
            return new ViewPreparedStatement(statement, this);
        }
        return result instanceof Statement statement ? new ViewStatement(statement, this) : result;
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
