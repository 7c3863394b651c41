package dev.oneengine.work;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement of any kind that participants execute. Confined to the unit's thread, except {@link #cancel}.
 *
 * @param <T> the kind
 */
@GenerateForwarding(
        value = {Statement.class, PreparedStatement.class, CallableStatement.class},
        sql = {"execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch"})
abstract class StatementRules<T extends Statement> extends Guarded<T> {
    StatementRules(T target, Guard guard, @Nullable Guarded<?> parent) {
        super(target, guard, parent);
    }

    /**
     * Implements {@link Statement}. Called by another thread. Does nothing after the unit, because the connection may have another user
     * then.
     */
    public void cancel() throws SQLException {
        if (!hasEnded() && !target.isClosed()) {
            target.cancel();
        }
    }

    /** Implements {@link Statement}. */
    public boolean isClosed() throws SQLException {
        if (hasEnded()) {
            return true;
        }
        enter();
        return target.isClosed();
    }

    /** Implements {@link Statement}. */
    public void close() throws SQLException {
        guard.close(target, target::close);
    }
}
