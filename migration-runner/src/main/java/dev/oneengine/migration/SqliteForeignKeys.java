package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/**
 * The foreign keys of SQLite during a migration: not enforced, but checked before each commit. Scripts change a table by a copy: create,
 * copy, drop, rename. If foreign keys were enforced, the drop would delete the rows of other tables that refer to the old table.
 *
 * <p>SQLite ignores {@code PRAGMA foreign_keys} within a transaction. So the first use of the connection switches
 * enforcement off. A script may switch it on again, so it is switched off once more before each transaction. {@code
 * close} restores it. Confined to its thread.
 */
final class SqliteForeignKeys extends ForwardingConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteForeignKeys.class);

    /** The number of violations in a message. */
    private static final int SHOWN = 20;

    /** SQLite's names of the row id. A column may have one of them, too. */
    private static final List<String> ROW_ID = List.of("_rowid_", "rowid", "oid");

    private boolean used;

    /** Whether enforcement was on before the migration and is off now. */
    private boolean suspended;

    /** The violations from before the migration; {@code null} until the first statement or transaction. */
    private @Nullable Map<Reference, List<String>> known;

    /** The counter of changes at the last check. */
    private String checked = "";

    /** A row that refers to a missing row. It has no row id, because a copy of a table may have other row ids. */
    private record Reference(String table, String parent, List<String> values) {}

    private SqliteForeignKeys(Connection connection) {
        super(connection);
    }

    /** Returns a view of a connection that checks instead of enforcing. It does neither if the connection enforces nothing. */
    static Connection suspendedOn(Connection connection) {
        return new SqliteForeignKeys(connection);
    }

    @Override
    void enter() throws SQLException {
        suspend();
        remember();
    }

    // The methods below must also work on a connection that waits for its turn, or is closed.

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return target.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return target.isWrapperFor(type);
    }

    @Override
    public boolean isClosed() throws SQLException {
        return target.isClosed();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        target.abort(executor);
    }

    @Override
    public void rollback() throws SQLException {
        target.rollback();
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        target.rollback(savepoint);
    }

    @Override
    public void close() throws SQLException {
        try {
            restore();
        } finally {
            target.close();
        }
    }

    @Override
    public void commit() throws SQLException {
        check();
        target.commit();
    }

    /** Checks the work so far, because switching auto-commit in either direction commits it. */
    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        suspend();
        if (on != target.getAutoCommit()) {
            check();
            if (!on && suspended) {
                enforce(false);
            }
        }
        target.setAutoCommit(on);
        remember();
    }

    private void suspend() throws SQLException {
        if (!used) {
            suspended = query("PRAGMA foreign_keys").equals("1");
            if (suspended) {
                if (!target.getAutoCommit()) {
                    target.setAutoCommit(true); // a pool may lend connections without auto-commit
                }
                enforce(false);
            }
            used = true;
        }
    }

    private void remember() throws SQLException {
        if (suspended && known == null) {
            known = violations();
        }
    }

    private void enforce(boolean on) throws SQLException {
        Jdbc.execute(target, "PRAGMA foreign_keys = " + (on ? 1 : 0));
        if (!query("PRAGMA foreign_keys").equals(on ? "1" : "0")) {
            throw new SQLException("SQLite did not switch the enforcement of foreign keys " + (on ? "on" : "off")
                    + "; end the open transaction first");
        }
    }

    /**
     * Restores enforcement, or closes the connection if that fails. Otherwise the pool would lend the connection to users whose writes
     * nothing checks.
     */
    private void restore() throws SQLException {
        if (!suspended) {
            return;
        }
        suspended = false;
        try {
            if (target.isClosed()) {
                return;
            }
            if (!target.getAutoCommit()) {
                target.rollback();
                target.setAutoCommit(true);
            }
            enforce(true);
        } catch (Throwable t) {
            target.unwrap(SQLiteConnection.class).close();
            if (t instanceof Error error) {
                throw error;
            }
            LOG.warn("Cannot enforce foreign keys again on a connection that has migrated; it is closed", t);
        }
    }

    private void check() throws SQLException {
        Map<Reference, List<String>> before = known;
        if (before == null) {
            return;
        }
        String changes = query("SELECT total_changes() || ' ' || schema_version FROM pragma_schema_version");
        if (changes.equals(checked)) {
            return;
        }
        List<String> added = new ArrayList<>();
        violations().forEach((reference, rows) -> {
            List<String> old = before.getOrDefault(reference, List.of());
            int more = Math.max(0, rows.size() - old.size());
            old.forEach(rows::remove); // a row with the same text is an old one; of the others, only the surplus is new
            added.addAll(rows.subList(rows.size() - more, rows.size()));
        });
        if (!added.isEmpty()) {
            throw new SQLException(message(added));
        }
        checked = changes;
    }

    private static String message(List<String> added) {
        return "its migrations break foreign keys: "
                + added.stream().limit(SHOWN).collect(Collectors.joining("; "))
                + (added.size() > SHOWN ? "; and " + (added.size() - SHOWN) + " more" : "")
                + ". Migrations run without enforcement of foreign keys, so a deleted row deletes no other row; let the"
                + " scripts correct or delete these rows, too";
    }

    private Map<Reference, List<String>> violations() throws SQLException {
        Map<Reference, List<String>> found = new LinkedHashMap<>();
        for (String table : column("SELECT name FROM sqlite_master WHERE type = 'table'")) {
            try (Statement statement = target.createStatement();
                    ResultSet rows = statement.executeQuery("PRAGMA main.foreign_key_check(" + quoted(table) + ")")) {
                while (rows.next()) {
                    add(found, table, rows.getString(2), rows.getString(3), rows.getInt(4));
                }
            } catch (SQLException e) {
                if (e.getErrorCode() != SQLiteErrorCode.SQLITE_ERROR.code) {
                    throw e;
                }
                // The parent has no unique key of these columns. SQLite cannot check it, and rejects every write.
                String mismatch = String.valueOf(e.getMessage());
                found.put(new Reference(table, mismatch, List.of()), new ArrayList<>(List.of(mismatch)));
            }
        }
        return found;
    }

    private void add(
            Map<Reference, List<String>> found, String table, @Nullable String rowId, String parent, int foreignKey)
            throws SQLException {
        String text = "a row of " + table + " refers to no row of " + parent;
        List<String> values = new ArrayList<>();
        Optional<String> key = rowId == null ? Optional.empty() : rowIdOf(table); // a table WITHOUT ROWID has none
        if (key.isPresent()) {
            List<String> shown = new ArrayList<>();
            for (String column : column("SELECT \"from\" FROM pragma_foreign_key_list(" + literal(table)
                    + ") WHERE id = " + foreignKey + " ORDER BY seq")) {
                String value = query(
                        "SELECT " + quoted(column) + " FROM " + quoted(table) + " WHERE " + key.get() + " = " + rowId);
                values.add(value);
                shown.add(column + " = " + value);
            }
            text = "row " + rowId + " of " + table + " (" + String.join(", ", shown) + ") refers to no row of "
                    + parent;
        }
        found.computeIfAbsent(new Reference(table, parent, values), none -> new ArrayList<>())
                .add(text);
    }

    /** Returns a name of the row id that no column of the table has. */
    private Optional<String> rowIdOf(String table) throws SQLException {
        List<String> columns = column("SELECT lower(name) FROM pragma_table_xinfo(" + literal(table) + ")");
        return ROW_ID.stream().filter(name -> !columns.contains(name)).findFirst();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private String query(String sql) throws SQLException {
        return column(sql).get(0);
    }

    private List<String> column(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = target.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
        }
        return values;
    }
}
