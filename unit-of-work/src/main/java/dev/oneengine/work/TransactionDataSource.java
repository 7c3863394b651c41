package dev.oneengine.work;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connection of a transaction, again and again. For one thread. */
final class TransactionDataSource implements DataSource {
    private final Unit unit;

    TransactionDataSource(Unit unit) {
        this.unit = unit;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return unit.guard().lend();
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The connection of a transaction has its user already");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("There is nothing but the connection of a transaction behind this data source");
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
        // There is nothing that it could log.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Its connection is there.
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("There is nothing that it could log");
    }

    @Override
    public String toString() {
        return "DataSource of a transaction on " + unit.url();
    }
}
