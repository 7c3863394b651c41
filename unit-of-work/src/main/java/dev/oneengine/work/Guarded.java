package dev.oneengine.work;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The object of JDBC that participants get instead of the driver's. It works in the unit's thread while the unit is open, and gives no
 * way to the driver's objects. Confined to the unit's thread, except that other threads get a clear error.
 *
 * @param <T> the type of the driver's object
 */
@GenerateForwarding(
        value = {
            DatabaseMetaData.class,
            Array.class,
            ResultSetMetaData.class,
            ParameterMetaData.class,
            Blob.class,
            NClob.class,
            Clob.class,
            SQLXML.class,
            Struct.class,
            Ref.class
        },
        silentAfterEnd = "free")
abstract class Guarded<T> {
    final T target;
    final Guard guard;

    /** The guarded object whose method returned this one; {@code null} for a connection. */
    final @Nullable Guarded<?> parent;

    Guarded(T target, Guard guard, @Nullable Guarded<?> parent) {
        this.target = target;
        this.guard = guard;
        this.parent = parent;
    }

    /** Fails unless the current thread may use this object now. */
    void enter() throws SQLException {
        guard.check();
    }

    /** Does the same as {@link #enter} for methods that declare no exception. */
    final void enterUnchecked() {
        try {
            enter();
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    final void checkSql(@Nullable String sql) throws SQLException {
        guard.checkSql(sql);
    }

    final void succeeded() throws SQLException {
        guard.succeeded();
    }

    final SQLException failed(Throwable failure, String method) throws SQLException {
        return guard.failed(failure, method);
    }

    /** Guards a result that leads back to the connection. */
    final @Nullable Object guarded(@Nullable Object result, Class<?> promised) {
        return GuardedObjects.guard(result, promised, guard, this);
    }

    final boolean hasEnded() {
        return guard.hasEnded();
    }

    /** Returns the driver's own object, which a driver requires as an argument. */
    @SuppressWarnings("unchecked") // a guarded object has the type of its target
    static <A> @Nullable A own(@Nullable A argument) {
        return argument instanceof Guarded<?> guarded && guarded.parent != null ? (A) guarded.target : argument;
    }

    /** Returns the participants' connection, which this object came from. */
    public Connection getConnection() throws SQLException {
        enter();
        Guarded<?> origin = this;
        while (origin.parent != null) {
            origin = origin.parent;
        }
        return (Connection) origin;
    }

    /** Implements {@link java.sql.Wrapper}. */
    public boolean isWrapperFor(@Nullable Class<?> type) throws SQLException {
        return Objects.requireNonNull(type, "type").isInstance(this);
    }

    /** Implements {@link java.sql.Wrapper}. */
    public <U> U unwrap(@Nullable Class<U> type) throws SQLException {
        if (isWrapperFor(type)) {
            return Objects.requireNonNull(type).cast(this);
        }
        throw guard.refusal(
                "unwrap(" + Objects.requireNonNull(type).getName() + ")",
                "take another connection from the engine for that");
    }

    /** Returns the description of the target. Some drivers query the database for it, so the guard decides first. */
    @Override
    public String toString() {
        return Objects.requireNonNullElseGet(guard.refusalReason(), target::toString);
    }
}
