package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import org.sqlite.core.DB;

/** The native handle of one connection: SQLite must not be interrupted after its memory is freed. Thread-safe. */
final class SqliteHandle {
    private final DB database;
    private final Object lock = new Object();

    /** Set before the memory is freed. */
    @GuardedBy("lock") private boolean freed;

    SqliteHandle(DB database) {
        this.database = database;
    }

    /** Interrupts the running statement, unless the handle is closed. */
    void interrupt() throws SQLException {
        synchronized (lock) {
            if (!freed) {
                database.interrupt();
            }
        }
    }

    /** Closes the handle once. The lock of the database makes this wait for the end of a running statement. */
    void close() throws SQLException {
        synchronized (database) {
            synchronized (lock) {
                if (freed) {
                    return;
                }
                freed = true;
            }
            database.close();
        }
    }
}
