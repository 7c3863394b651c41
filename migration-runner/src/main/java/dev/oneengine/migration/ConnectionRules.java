package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A connection that forwards all calls to another one, except those that a subclass implements. A proxy would do the same, but takes
 * milliseconds to generate when a program starts. As thread-safe as the other connection.
 */
@GenerateForwarding(
        value = Connection.class,
        sql = {"prepareStatement", "prepareCall"})
abstract class ConnectionRules {
    final Connection target;

    ConnectionRules(Connection target) {
        this.target = target;
    }

    /** Called before each method that is forwarded. */
    void enter() throws SQLException {}

    /** Called before a statement is prepared. */
    void checkSql(@Nullable String sql) throws SQLException {}

    /** Replaces a result. */
    @Nullable Object guarded(@Nullable Object result, Class<?> type) {
        return result;
    }

    // Generated code does not forward these two, because they throw another exception.

    public void setClientInfo(@Nullable String name, @Nullable String value) throws SQLClientInfoException {
        target.setClientInfo(name, value);
    }

    public void setClientInfo(@Nullable Properties properties) throws SQLClientInfoException {
        target.setClientInfo(properties);
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
