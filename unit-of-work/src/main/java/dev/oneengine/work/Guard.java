package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules for what participants may do with the connection of their unit. They get {@link Guarded} objects, which can do all but
 * what is the owner's, and give no way to the driver's connection. Confined to the unit's thread.
 */
final class Guard {
    /** The SQL state of "connection does not exist". */
    static final String NO_CONNECTION = "08003";

    /** The SQL state of "invalid transaction state". */
    private static final String NOT_YOURS = "25000";

    private final Unit unit;
    private final Connection real;
    private @Nullable Connection connection;

    Guard(Unit unit, Connection real) {
        this.unit = unit;
        this.real = real;
    }

    /** A call of the driver. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    /** The connection of the participants. */
    Connection connection() {
        Connection known = connection;
        if (known == null) {
            known = new GuardedConnection(real, this, false);
            connection = known;
        }
        return known;
    }

    /** Another face of the same connection, which can be closed without any effect on it. */
    Connection lend() throws SQLException {
        check();
        return new GuardedConnection(real, this, true);
    }

    DatabaseUrl url() {
        return unit.url();
    }

    boolean hasEnded() {
        return unit.hasEnded();
    }

    boolean isRestricted() {
        return unit.isRestricted();
    }

    /** Returns why the current thread may not use the unit now, or {@code null} if it may. */
    @Nullable String refusalReason() {
        return unit.whyNot();
    }

    /** Fails unless the connection is free for the participants. */
    void check() throws SQLException {
        checkOpen();
        unit.lease().session().requireFree();
    }

    /** Fails unless the unit is open, and this its thread. */
    void checkOpen() throws SQLException {
        String reason = unit.whyNot();
        if (reason != null) {
            throw new SQLNonTransientConnectionException(reason, NO_CONNECTION);
        }
    }

    SQLException refusal(String what, String instead) {
        return new SQLNonTransientException(
                what + " is refused: the connection belongs to the unit of work on " + unit.url() + " in thread "
                        + unit.owner().getName() + ", and only that ends or switches its transaction; " + instead,
                NOT_YOURS);
    }

    /** Whoever wants a rollback must not see a commit, whatever becomes of this exception. */
    SQLException doomed(SQLException refusal) {
        unit.level().doom(refusal);
        return refusal;
    }

    void checkSql(@Nullable String sql) throws SQLException {
        if (sql == null) {
            return;
        }
        PostgresDriver known = driver();
        String words = known == null
                ? TransactionSql.find(sql, unit.isSqlite() ? Dialect.SQLITE : Dialect.POSTGRESQL)
                : known.find(sql);
        if (words != null) {
            SQLException refusal =
                    refusal(words, "throw an exception to roll it back, return to commit it, use nested() for a part");
            throw words.startsWith("ROLLBACK") || words.startsWith("ABORT") ? doomed(refusal) : refusal;
        }
    }

    private @Nullable PostgresDriver driver() {
        return unit.lease().session().driver();
    }

    /** Whether the driver offers its connection as this type, which has more to offer than JDBC. */
    boolean offers(Class<?> type) {
        return type.getName().startsWith("org.postgresql.") && driver() != null && PostgresDriver.offers(type);
    }

    /** Returns the connection of the participants as the driver's own type. */
    Object face(Connection front) {
        return Objects.requireNonNull(driver()).face(this, front);
    }

    /** Calls the driver. */
    void call(Step step, String method) throws SQLException {
        try {
            step.run();
        } catch (Throwable t) {
            throw failed(t, method);
        }
        succeeded();
    }

    /** Notes that the driver has done what a participant asked for. */
    void succeeded() throws SQLException {
        unit.succeeded();
        requireTransaction(null);
    }

    /** Notes that the driver has failed. Returns the failure if it is JDBC's, and throws it if not. */
    SQLException failed(Throwable failure, String method) throws SQLException {
        if (failure instanceof Error || (failure instanceof RuntimeException && talks(method))) {
            unit.broken(failure);
        } else {
            unit.failed(failure);
            requireTransaction(failure);
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof SQLException expected
                ? expected
                : new SQLException(Throwables.describe(failure), failure);
    }

    /** Notices if SQL has ended the transaction in a way that {@link TransactionSql} does not know. */
    private void requireTransaction(@Nullable Throwable cause) throws SQLException {
        PostgresDriver known = driver();
        if (known != null && known.isIdle()) {
            SQLException failure = new SQLNonTransientException(
                    "SQL has ended the transaction of the unit of work on " + unit.url()
                            + ": part of its work may be committed, the rest is rolled back; leave the end to the unit",
                    NOT_YOURS,
                    cause);
            unit.broken(failure);
            throw failure;
        }
    }

    /** Whether a method may be in the middle of a talk with the database. */
    private static boolean talks(String method) {
        return method.startsWith("execute") || method.equals("next") || method.equals("close");
    }

    /** Guards whatever leads back to the connection, as the type that its method promises: SQLite's rows are their own metadata. */
    @Nullable Object guarded(@Nullable Object result, Class<?> promised, Guarded<?> parent) {
        if (result == null) {
            return null;
        }
        if (promised == ResultSet.class) {
            if (parent.target instanceof DatabaseMetaData) {
                unit.lease().opened((ResultSet) result);
            }
            return new GuardedResultSet((ResultSet) result, this, parent);
        }
        if (result instanceof Statement statement && Statement.class.isAssignableFrom(promised)) {
            unit.lease().opened(statement);
            return promised == PreparedStatement.class
                    ? new GuardedPreparedStatement((PreparedStatement) statement, this, parent)
                    : promised == CallableStatement.class
                            ? new GuardedCallableStatement((CallableStatement) statement, this, parent)
                            : new GuardedStatement(statement, this, parent);
        }
        if (promised == DatabaseMetaData.class) {
            return new GuardedDatabaseMetaData((DatabaseMetaData) result, this, parent);
        }
        if (promised == ResultSetMetaData.class) {
            return new GuardedResultSetMetaData((ResultSetMetaData) result, this, parent);
        }
        if (promised == ParameterMetaData.class) {
            return new GuardedParameterMetaData((ParameterMetaData) result, this, parent);
        }
        return result instanceof Object[] elements ? guarded(elements, parent) : guardedValue(result, promised, parent);
    }

    /** Guards a value of a column or parameter, whose type says what it is. */
    private Object guardedValue(Object value, Class<?> promised, Guarded<?> parent) {
        if (value instanceof ResultSet rows) { // of a cursor
            return new GuardedResultSet(rows, this, parent);
        }
        if (value instanceof Array array) {
            return new GuardedArray(array, this, parent);
        }
        if (value instanceof Blob blob) {
            return new GuardedBlob(blob, this, parent);
        }
        if (value instanceof NClob clob && promised != Clob.class) { // SQLite's are both
            return new GuardedNClob(clob, this, parent);
        }
        if (value instanceof Clob clob) {
            return new GuardedClob(clob, this, parent);
        }
        if (value instanceof SQLXML xml) {
            return new GuardedSQLXML(xml, this, parent);
        }
        if (value instanceof Struct struct) {
            return new GuardedStruct(struct, this, parent);
        }
        if (value instanceof Ref ref) {
            return new GuardedRef(ref, this, parent);
        }
        return Streams.guarded(value, this);
    }

    /** The attributes of a structure or the elements of an array. */
    private Object guarded(Object[] elements, Guarded<?> parent) {
        Class<?> type = elements.getClass().getComponentType();
        if (type != Object.class && !type.isInterface() && !type.isArray()) {
            return elements;
        }
        Object[] guarded = elements.clone();
        for (int i = 0; i < guarded.length; i++) {
            guarded[i] = guarded(guarded[i], type.isArray() ? Object.class : type, parent);
        }
        return guarded;
    }

    /** Closes a statement or rows, unless that was done at the end of the unit. */
    void close(AutoCloseable opened, Step close) throws SQLException {
        if (!unit.hasEnded()) {
            check();
            unit.lease().closed(opened);
            call(close, "close");
        }
    }

    /** Lets a stream read or write. */
    <T> T talk(Streams.Action<T> action) throws IOException {
        try {
            check();
            return action.run();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            unit.failed(e);
            throw e;
        } catch (RuntimeException | Error e) {
            unit.broken(e);
            throw e;
        }
    }

    /** Closes a stream, unless it has ended with its unit. */
    void close(Closeable stream) throws IOException {
        if (!unit.hasEnded()) {
            talk(() -> {
                stream.close();
                return true;
            });
        }
    }

    void opened(Streams.Pending stream) {
        unit.lease().opened(stream);
    }

    Level level() {
        return unit.level();
    }

    void closed(Streams.Pending stream) {
        if (unit.whyNot() == null) {
            unit.lease().closed(stream);
        }
    }

    /** Keeps everything else from the connection, which would wait for ever. */
    void occupy(Session.Activity activity) {
        unit.lease().session().occupy(activity);
    }
}
