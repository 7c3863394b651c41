package dev.oneengine.migration;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a {@link TransactionView}. It cannot end the transaction, and its connection is that view. As thread-safe as the driver's
 * statement.
 *
 * @param <T> the kind of statement
 */
@GenerateForwarding(
        value = {Statement.class, PreparedStatement.class, CallableStatement.class},
        prefix = "View",
        sql = {"execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch"})
abstract class StatementRules<T extends Statement> {
    final T target;
    private final TransactionView view;

    StatementRules(T target, TransactionView view) {
        this.target = target;
        this.view = view;
    }

    final void enter() {}

    final void checkSql(@Nullable String sql) throws SQLException {
        view.checkSql(sql);
    }

    final @Nullable Object guarded(@Nullable Object result, Class<?> type) {
        return result;
    }

    /** Implements {@link Statement}. */
    public Connection getConnection() {
        return view;
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
