package dev.oneengine.work;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The rows that participants read. Confined to the unit's thread. */
@GenerateForwarding(ResultSet.class)
abstract class ResultSetRules extends Guarded<ResultSet> {
    ResultSetRules(ResultSet target, Guard guard, @Nullable Guarded<?> parent) {
        super(target, guard, parent);
    }

    /** Implements {@link ResultSet}. The statement of rows of metadata is guarded here first. */
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
