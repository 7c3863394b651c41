package dev.oneengine.work;

import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells failures that another attempt may cure. Stateless and thread-safe. */
final class Conflicts {
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";

    private Conflicts() {}

    /**
     * Whether a failure is a conflict with another transaction, or was caused by one.
     *
     * @param failure of the work or of the commit, wrapped by whatever tools
     */
    static boolean among(Throwable failure) {
        return Boolean.TRUE.equals(Throwables.ask(() -> find(failure)));
    }

    private static boolean find(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable t = failure; t != null && seen.add(t); t = t.getCause()) {
            if (t instanceof AfterCommitException) {
                return false; // whatever made the hook fail, the work is done
            }
            if (t instanceof SQLException e && isConflict(e)) {
                return true;
            }
        }
        return false;
    }

    /** A batch has the failures of its statements in a chain. */
    private static boolean isConflict(SQLException first) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (SQLException e = first; e != null && seen.add(e); e = e.getNextException()) {
            int sqlite = SqliteFailures.code(e);
            if (sqlite == SqliteFailures.BUSY || sqlite == SqliteFailures.LOCKED || isConflict(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConflict(@Nullable String sqlState) {
        return SERIALIZATION_FAILURE.equals(sqlState) || DEADLOCK_DETECTED.equals(sqlState);
    }
}
