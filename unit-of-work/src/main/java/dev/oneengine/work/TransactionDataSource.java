package dev.oneengine.work;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source whose every call returns the connection of one transaction. Confined to the unit's thread. */
final class TransactionDataSource implements DataSource {
    private final Guard guard;

    TransactionDataSource(Guard guard) {
        this.guard = guard;
    }

    @Override
    public Connection getConnection() throws SQLException {
        guard.check();
        return new GuardedConnection(guard.control.connection, guard, true);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The connection of a transaction already has a user");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("This data source lends the connection of a transaction, and unwraps to nothing else");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) {
        // It logs nothing.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // The connection exists already.
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("This data source logs nothing");
    }

    @Override
    public String toString() {
        return "DataSource of a transaction on " + guard.url();
    }
}
