package dev.oneengine.work;

import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The connection that participants get: it rejects the calls that only the unit may make. Confined to the unit's thread. */
@GenerateForwarding(
        value = Connection.class,
        sql = {"prepareStatement", "prepareCall", "nativeSQL"})
abstract class ConnectionRules extends Guarded<Connection> {
    private static final String INSTEAD = "return to commit, throw an exception to roll back";

    /** Whether a {@link TransactionDataSource} gave out this connection. Its user may close it, without any effect on the unit. */
    private final boolean lent;

    private boolean closed;

    ConnectionRules(Connection target, Guard guard, boolean lent) {
        super(target, guard, null);
        this.lent = lent;
    }

    @Override
    void enter() throws SQLException {
        super.enter();
        if (closed) {
            throw new SQLNonTransientConnectionException("This connection was closed by its user", Guard.NO_CONNECTION);
        }
    }

    private SQLException refused(String call) throws SQLException {
        enter();
        return guard.refusal(call, INSTEAD);
    }

    private SQLException doomed(String call) throws SQLException {
        enter();
        return guard.doomed(guard.refusal(
                call,
                "the unit will be rolled back at its end; throw an exception, or call setRollbackOnly() on the"
                        + " transaction"));
    }

    // The methods below implement those of Connection.

    public void commit() throws SQLException {
        throw refused("commit()");
    }

    public void rollback() throws SQLException {
        throw doomed("rollback()");
    }

    public void abort(@Nullable Executor executor) throws SQLException {
        throw doomed("abort()");
    }

    public void setAutoCommit(boolean autoCommit) throws SQLException {
        throw refused("setAutoCommit()");
    }

    public void setTransactionIsolation(int level) throws SQLException {
        throw refused("setTransactionIsolation()");
    }

    public void setReadOnly(boolean readOnly) throws SQLException {
        throw refused("setReadOnly()");
    }

    public void setHoldability(int holdability) throws SQLException {
        throw refused("setHoldability()");
    }

    public void beginRequest() throws SQLException {
        throw refused("beginRequest()");
    }

    public void endRequest() throws SQLException {
        throw refused("endRequest()");
    }

    public boolean isReadOnly() throws SQLException {
        enter();
        return guard.isReadOnly();
    }

    public void setClientInfo(@Nullable String name, @Nullable String value) throws SQLClientInfoException {
        setClientInfo(() -> target.setClientInfo(name, value));
    }

    public void setClientInfo(@Nullable Properties properties) throws SQLClientInfoException {
        setClientInfo(() -> target.setClientInfo(properties));
    }

    private void setClientInfo(Guard.DriverCall step) throws SQLClientInfoException {
        try {
            enter();
            guard.call(step, "setClientInfo");
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
        }
    }

    public boolean isClosed() {
        return closed || hasEnded();
    }

    public void close() throws SQLException {
        if (!lent && !hasEnded()) {
            guard.check();
            throw guard.refusal("close()", "leave it open: the unit returns it at its end");
        }
        closed = true;
    }

    @Override
    public boolean isWrapperFor(@Nullable Class<?> type) throws SQLException {
        return super.isWrapperFor(type) || GuardedPgConnection.isOffered(Objects.requireNonNull(type), guard.control);
    }

    @Override
    public <U> U unwrap(@Nullable Class<U> type) throws SQLException {
        if (!super.isWrapperFor(type) && GuardedPgConnection.isOffered(Objects.requireNonNull(type), guard.control)) {
            enter();
            return type.cast(GuardedPgConnection.of(guard.control, guard, (Connection) this));
        }
        return super.unwrap(type);
    }

    @Override
    public String toString() {
        return "Connection of the unit of work on " + guard.url();
    }
}
