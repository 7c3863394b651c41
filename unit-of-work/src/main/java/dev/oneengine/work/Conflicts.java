package dev.oneengine.work;

import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recognises conflicts between transactions: the failures that a retry may cure. Stateless and thread-safe. */
final class Conflicts {
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";

    private Conflicts() {}

    /**
     * Whether a failure is a conflict or has one among its causes.
     *
     * @param failure of the work or of the commit; tools may have wrapped it
     */
    static boolean isConflict(Throwable failure) {
        try {
            return hasConflict(failure);
        } catch (Throwable t) {
            return false; // a failure whose methods throw is no conflict
        }
    }

    private static boolean hasConflict(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable t = failure; t != null && seen.add(t); t = t.getCause()) {
            if (t instanceof AfterCommitException) {
                return false; // the work is committed, whatever made the hook fail
            }
            if (t instanceof SQLException e && isConflictOrNext(e)) {
                return true;
            }
        }
        return false;
    }

    /** Searches the chain in which a batch has the failures of its statements. */
    private static boolean isConflictOrNext(SQLException first) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (SQLException e = first; e != null && seen.add(e); e = e.getNextException()) {
            int sqlite = SqliteFailures.code(e);
            if (sqlite == SqliteFailures.BUSY || sqlite == SqliteFailures.LOCKED || isConflictState(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConflictState(@Nullable String sqlState) {
        return SERIALIZATION_FAILURE.equals(sqlState) || DEADLOCK_DETECTED.equals(sqlState);
    }
}
