package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a PostgreSQL session before a migration. Scripts and Flyway change some of them, such as {@code search_path} or
 * the role. A pool or a proxy may give the session to other clients afterwards. Immutable and thread-safe.
 */
final class PostgresSessionSettings {
    /**
     * The settings of the session and of its transaction. PostgreSQL does not list an application's own settings, whose names have a
     * prefix.
     */
    private static final String CHANGED =
            "SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session' AND name NOT IN"
                    + " ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')";

    /** PostgreSQL lists neither among the settings. The role comes second because it must be a role of the user. */
    private static final String USER = "SELECT name, pg_catalog.current_setting(name)"
            + " FROM (VALUES ('session_authorization'), ('role')) AS setting(name)";

    private final Map<String, String> user;
    private final Map<String, String> changed;

    private PostgresSessionSettings(Map<String, String> user, Map<String, String> changed) {
        this.user = user;
        this.changed = changed;
    }

    static PostgresSessionSettings of(Connection connection) throws SQLException {
        return new PostgresSessionSettings(read(connection, USER), read(connection, CHANGED));
    }

    private static Map<String, String> read(Connection connection, String sql) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return settings;
    }

    /** Restores all settings that have changed since. In a transaction, that takes effect with its commit. */
    void restore(Connection connection) throws SQLException {
        // First the user, because only that user may see and set the rest.
        restore(connection, USER, user);
        restore(connection, CHANGED, changed);
    }

    private static void restore(Connection connection, String sql, Map<String, String> before) throws SQLException {
        Map<String, String> now = read(connection, sql);
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(now.keySet());
        for (String name : names) {
            String value = before.get(name);
            if (!Objects.equals(value, now.get(name))) {
                set(connection, name, value);
            }
        }
    }

    private static void set(Connection connection, String name, @Nullable String value) throws SQLException {
        String sql = value == null ? "RESET \"" + name + '"' : "SELECT pg_catalog.set_config(?, ?, false)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (value != null) {
                statement.setString(1, name);
                statement.setString(2, value);
            }
            statement.execute();
        }
    }
}
