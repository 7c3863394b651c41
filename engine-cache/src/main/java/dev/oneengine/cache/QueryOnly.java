package dev.oneengine.cache;

import java.sql.SQLException;
import org.sqlite.core.DB;

/**
 * The pragma {@code query_only} of one connection. The pragma costs as much as a small read, so SQLite gets it only before a statement
 * for which it matters. Confined to its thread.
 */
final class QueryOnly {
    private final DB database;

    /** The value that the user has set. */
    private boolean requested;

    /** The value that SQLite has. */
    private boolean effective;

    /** Whether the user's own SQL has set the pragma. Then it stays unchanged until the connection is reset. */
    private boolean foreign;

    QueryOnly(DB database) {
        this.database = database;
    }

    boolean isRequested() {
        return requested;
    }

    void request(boolean on) {
        requested = on;
    }

    /** Notes a statement that may set the pragma. */
    void note(SqlKind kind) {
        foreign |= kind.readOnly();
    }

    /** Sets the pragma before a statement. A query needs no change, and a change expires all prepared statements. */
    void applyFor(SqlKind kind) throws SQLException {
        if (!kind.isQuery()) {
            apply(requested);
        }
    }

    void apply(boolean on) throws SQLException {
        if (on != effective && !foreign) {
            set(on);
        }
    }

    /** Whether the connection differs from a new one. */
    boolean isUsed() {
        return requested || foreign;
    }

    /** Prepares the connection for its next user. */
    void reset() throws SQLException {
        requested = false;
        if (foreign) {
            set(false);
            foreign = false;
        }
    }

    private void set(boolean on) throws SQLException {
        database.exec("PRAGMA query_only = " + (on ? 1 : 0), false);
        effective = on;
    }
}
