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
@Forwarding(
        value = {Statement.class, PreparedStatement.class, CallableStatement.class},
        sql = {"execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch"})
abstract class GuardedStatements<T extends Statement> extends Guarded<T> {
    GuardedStatements(T target, Guard guard, @Nullable Guarded<?> parent) {
        super(target, guard, parent);
    }

    /** Implements {@link Statement}. Another thread calls this, but not if the connection may have another user by then. */
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
