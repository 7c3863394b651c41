package dev.oneengine.cache;

import java.sql.SQLException;

/** A call of the driver or of SQLite. */
@FunctionalInterface
interface SqliteAction<T> {
    T run() throws SQLException;
}
