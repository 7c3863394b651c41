package dev.oneengine.work;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Rows that participants read. Confined to the unit's thread. */
@Forwarding(ResultSet.class)
abstract class GuardedRows extends Guarded<ResultSet> {
    GuardedRows(ResultSet target, Guard guard, @Nullable Guarded<?> parent) {
        super(target, guard, parent);
    }

    /** Implements {@link ResultSet}. The rows of metadata have a statement that nobody has seen. */
    public @Nullable Statement getStatement() throws SQLException {
        enter();
        return parent instanceof Statement statement
                ? statement
                : (Statement) guarded(target.getStatement(), Statement.class);
    }

    /** Implements {@link ResultSet}. */
    public boolean isClosed() throws SQLException {
        if (hasEnded()) {
            return true;
        }
        enter();
        return target.isClosed();
    }

    /** Implements {@link ResultSet}. */
    public void close() throws SQLException {
        guard.close(target, target::close);
    }
}
