package dev.oneengine.acceptance;

/** A database of SQLite, which its engine creates when it opens. Immutable and thread-safe. */
record SqliteDatabase(String url) implements DatabaseUnderTest {
    @Override
    public String tablesQuery() {
        return "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    }
}
