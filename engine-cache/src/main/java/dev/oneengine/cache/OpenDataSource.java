package dev.oneengine.cache;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An engine's data source, which says which engine it was that is closed. Thread-safe. */
final class OpenDataSource implements DataSource {
    /** The SQL state of "connection does not exist". */
    private static final String NO_CONNECTION = "08003";

    private final Engine engine;
    private final EngineSource source;

    OpenDataSource(Engine engine, EngineSource source) {
        this.engine = engine;
        this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return source.dataSource().getConnection();
        } catch (SQLException e) {
            throw engine.isClosed() ? closed(e) : e;
        }
    }

    private SQLException closed(SQLException cause) {
        return new SQLNonTransientConnectionException(engine.closedMessage(), NO_CONNECTION, cause);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "All connections of an engine are of one user; put user and password into the URL of " + engine.url());
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        DataSource pool = source.dataSource();
        return type.isInstance(pool) ? type.cast(pool) : pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        DataSource pool = source.dataSource();
        return type.isInstance(pool) || pool.isWrapperFor(type);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.dataSource().getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
        source.dataSource().setLogWriter(writer);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.dataSource().getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.dataSource().setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Neither the pool nor all drivers log by java.util.logging");
    }

    @Override
    public String toString() {
        return "DataSource of " + engine;
    }
}
