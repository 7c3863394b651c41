package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** Breaks the driver's objects that the guard hides. Stateless and thread-safe. */
final class Kill {
    private Kill() {}

    static Connection real(Connection guarded) {
        return target(guarded);
    }

    /** Returns the driver's object behind a guarded one. */
    @SuppressWarnings("unchecked") // a guarded object has the type of its target
    static <T> T target(T guarded) {
        return (T) ((Guarded<?>) guarded).target;
    }

    static void physically(Connection guarded) throws SQLException {
        real(guarded).unwrap(SQLiteConnection.class).close();
    }
}
