package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** Gets at what the guard hides, to break it. Stateless and thread-safe. */
final class Kill {
    private Kill() {}

    static Connection real(Connection guarded) {
        return target(guarded);
    }

    /** What is behind a guarded object. */
    @SuppressWarnings("unchecked") // a guarded object has the type of its target
    static <T> T target(T guarded) {
        return (T) ((Guarded<?>) guarded).target;
    }

    static void physically(Connection guarded) throws SQLException {
        real(guarded).unwrap(SQLiteConnection.class).close();
    }
}
