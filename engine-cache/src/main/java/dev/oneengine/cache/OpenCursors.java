package dev.oneengine.cache;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The statements of one connection that are positioned on a row, and its open queries for generated keys. Confined to its thread. */
final class OpenCursors {
    private final List<SqliteCursor> cursors = new ArrayList<>(2);

    /** These queries keep no lock. But an interrupt of SQLite lasts as long as any statement runs. */
    private final List<Statement> keyQueries = new ArrayList<>(2);

    boolean isEmpty() {
        return cursors.isEmpty();
    }

    /** Whether one of the statements writes. */
    boolean haveWriter() {
        for (SqliteCursor cursor : cursors) {
            if (cursor.writes()) {
                return true;
            }
        }
        return false;
    }

    void add(SqliteCursor cursor) {
        cursors.add(cursor);
    }

    boolean remove(SqliteCursor cursor) {
        return cursors.remove(cursor);
    }

    void addKeyQuery(Statement query) {
        keyQueries.add(query);
    }

    void removeKeyQuery(Statement query) {
        keyQueries.remove(query);
    }

    /** Ends all statements that are positioned on a row. */
    void end() throws SQLException {
        while (!cursors.isEmpty()) {
            cursors.remove(cursors.size() - 1).end();
        }
    }

    /** Ends all statements, so that an interrupt is over. */
    void endAll() throws SQLException {
        end();
        for (Statement query : List.copyOf(keyQueries)) {
            query.close();
        }
        keyQueries.clear();
    }
}
