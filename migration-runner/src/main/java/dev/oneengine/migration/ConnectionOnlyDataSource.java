package dev.oneengine.migration;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A {@link DataSource} without optional features, for Flyway. */
abstract class ConnectionOnlyDataSource implements DataSource {
    @Override
    public final Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The engine sets user and password");
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("This data source wraps no " + type.getName());
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return false;
    }

    @Override
    public final @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public final void setLogWriter(@Nullable PrintWriter writer) {
        // Each driver has its own way to log.
    }

    @Override
    public final int getLoginTimeout() {
        return 0;
    }

    @Override
    public final void setLoginTimeout(int seconds) {
        // The engine sets the timeout.
    }

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Not all drivers log by java.util.logging");
    }
}
