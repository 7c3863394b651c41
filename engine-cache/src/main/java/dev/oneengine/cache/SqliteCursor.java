package dev.oneengine.cache;

import java.sql.SQLException;

/** A statement that may be positioned on a row, and so keep SQLite's lock. */
interface SqliteCursor {
    /** Fails if the statement was closed. */
    void requireOpen() throws SQLException;

    /** Whether the statement writes. */
    boolean writes();

    /** Whether the statement is positioned on a row. */
    boolean isActive();

    /** Resets the statement and closes its result set. */
    void end() throws SQLException;
}
