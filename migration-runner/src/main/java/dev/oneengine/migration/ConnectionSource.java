package dev.oneengine.migration;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A {@link DataSource} that has nothing but connections. */
abstract class ConnectionSource implements DataSource {
    @Override
    public final Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("User and password are those of the engine");
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("This is no wrapper of a " + type.getName());
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
        // Drivers log in ways of their own.
    }

    @Override
    public final int getLoginTimeout() {
        return 0;
    }

    @Override
    public final void setLoginTimeout(int seconds) {
        // That of the engine holds.
    }

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Not all drivers log by java.util.logging");
    }
}
