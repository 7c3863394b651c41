package dev.oneengine.work;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells failures that another attempt may cure. Stateless and thread-safe. */
final class Conflicts {
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";

    /** SQLite's exception, by name: its driver may be missing where another is used. */
    private static final String SQLITE_EXCEPTION = "org.sqlite.SQLiteException";

    private static final int SQLITE_BUSY = 5;
    private static final int SQLITE_LOCKED = 6;

    /** What SQLite adds to a code to say more is in the higher bits. */
    private static final int PRIMARY = 0xff;

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
            if (e.getClass().getName().equals(SQLITE_EXCEPTION)
                    ? isBusy(e.getErrorCode())
                    : isConflict(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConflict(@Nullable String sqlState) {
        return SERIALIZATION_FAILURE.equals(sqlState) || DEADLOCK_DETECTED.equals(sqlState);
    }

    private static boolean isBusy(int code) {
        int primary = code & PRIMARY;
        return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
    }
}
