package dev.oneengine.work;

import dev.oneengine.cache.SqlTokens.Dialect;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connection that participants get, and everything that they get from it: able to do all but what is the owner's,
 * and without a way to the real one. For the thread of its unit.
 */
final class Guard {
    /** The SQL states of "invalid transaction state" and "connection does not exist". */
    private static final String NOT_YOURS = "25000";

    private static final String NO_CONNECTION = "08003";

    /** What may know its connection, beside statements and streams. A type stands before those that it extends. */
    private static final List<Class<?>> LEADING_BACK = List.of(
            ResultSet.class,
            DatabaseMetaData.class,
            Array.class,
            ResultSetMetaData.class,
            ParameterMetaData.class,
            Blob.class,
            NClob.class,
            Clob.class,
            SQLXML.class,
            Struct.class,
            Ref.class);

    private final Unit unit;
    private final Connection real;
    private @Nullable Connection connection;

    Guard(Unit unit, Connection real) {
        this.unit = unit;
        this.real = real;
    }

    /** The connection of the participants. */
    Connection connection() {
        Connection known = connection;
        if (known == null) {
            known = proxy(Connection.class, new Front(false));
            connection = known;
        }
        return known;
    }

    /** Another face of the same connection, which can be closed without any effect on it. */
    Connection lend() throws SQLException {
        check();
        return proxy(Connection.class, new Front(true));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Guard.class.getClassLoader(), new Class<?>[] {type}, handler));
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
    private SQLException doomed(SQLException refusal) {
        unit.level().doom(refusal);
        return refusal;
    }

    void checkSql(@Nullable Object @Nullable [] args) throws SQLException {
        if (args != null && args[0] instanceof String sql) {
            PostgresDriver known = driver();
            String words = known == null
                    ? TransactionSql.find(sql, unit.isSqlite() ? Dialect.SQLITE : Dialect.POSTGRESQL)
                    : known.find(sql);
            if (words != null) {
                SQLException refusal = refusal(
                        words, "throw an exception to roll it back, return to commit it, use nested() for a part");
                throw words.startsWith("ROLLBACK") || words.startsWith("ABORT") ? doomed(refusal) : refusal;
            }
        }
    }

    private @Nullable PostgresDriver driver() {
        return unit.lease().session().driver();
    }

    @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        try {
            Object result = method.invoke(target, args);
            unit.succeeded();
            requireTransaction(null);
            return result;
        } catch (InvocationTargetException e) {
            Throwable failure = Objects.requireNonNull(e.getCause());
            if (failure instanceof Error || (failure instanceof RuntimeException && talks(method.getName()))) {
                unit.broken(failure);
            } else {
                unit.failed(failure);
                requireTransaction(failure);
            }
            throw failure;
        }
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

    /**
     * Guards whatever leads back to the connection. Its type is the one that the method promises: in SQLite's driver, rows are
     * their own metadata.
     */
    @Nullable Object guarded(@Nullable Object result, Class<?> promised, Object parent) {
        if (result == null || promised.isPrimitive() || promised == String.class) {
            return result;
        }
        if (result instanceof Statement statement && Statement.class.isAssignableFrom(promised)) {
            unit.lease().opened(statement);
            return proxy(promised, new Behind(statement, parent));
        }
        if (result instanceof ResultSet rows && parent instanceof DatabaseMetaData) {
            unit.lease().opened(rows);
        }
        for (Class<?> type : LEADING_BACK) {
            if (type == promised || (promised == Object.class && type.isInstance(result))) {
                return proxy(type, new Behind(result, parent));
            }
        }
        return result instanceof Object[] elements ? guarded(elements, parent) : Streams.guarded(result, this);
    }

    /** The attributes of a structure or the elements of an array. */
    private Object guarded(Object[] elements, Object parent) {
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

    Streams.Pending opened(Streams.Pending stream) {
        unit.lease().opened(stream);
        return stream;
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

    /** The form in which a method can throw a failure. */
    static Exception declared(Method method, SQLException failure) {
        List<Class<?>> types = List.of(method.getExceptionTypes());
        if (types.contains(SQLException.class)) {
            return failure;
        }
        if (types.contains(SQLClientInfoException.class)) {
            return new SQLClientInfoException(failure.getMessage(), failure.getSQLState(), Map.of(), failure);
        }
        return new IllegalStateException(failure.getMessage(), failure);
    }

    /** A driver wants its own objects back. */
    private static void unguard(@Nullable Object @Nullable [] args) {
        for (int i = 0; args != null && i < args.length; i++) {
            Object arg = args[i];
            if (arg != null
                    && Proxy.isProxyClass(arg.getClass())
                    && Proxy.getInvocationHandler(arg) instanceof Behind behind) {
                args[i] = behind.target;
            }
        }
    }

    /** What all guarded objects do in the same way. */
    private @Nullable Object common(Object proxy, String name, @Nullable Object @Nullable [] args) throws SQLException {
        Object argument = args == null ? null : args[0];
        return switch (name) {
            case "equals" -> proxy == argument;
            case "isWrapperFor" -> type(argument).isInstance(proxy) || offers(proxy, type(argument));
            case "unwrap" -> unwrap(proxy, type(argument));
            default -> System.identityHashCode(proxy);
        };
    }

    /** Whether the driver has more to offer than JDBC. */
    private boolean offers(Object proxy, Class<?> type) {
        return proxy instanceof Connection
                && type.getName().startsWith("org.postgresql.")
                && driver() != null
                && PostgresDriver.offers(type);
    }

    private static Class<?> type(@Nullable Object argument) {
        return (Class<?>) Objects.requireNonNull(argument, "type");
    }

    private Object unwrap(Object proxy, Class<?> type) throws SQLException {
        if (type.isInstance(proxy)) {
            return proxy;
        }
        if (offers(proxy, type)) {
            check();
            return Objects.requireNonNull(driver()).face(this, (Connection) proxy);
        }
        throw refusal("unwrap(" + type.getName() + ")", "take another connection from the engine for that");
    }

    /** Throws nothing that a method does not declare. */
    private abstract static class Handler implements InvocationHandler {
        @Override
        public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            try {
                return answer(proxy, method, args);
            } catch (SQLException e) {
                throw declared(method, e);
            }
        }

        abstract @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable;
    }

    /** The connection itself. */
    private final class Front extends Handler {
        private final boolean lent;
        private boolean closed;

        Front(boolean lent) {
            this.lent = lent;
        }

        @Override
        @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
            String name = method.getName();
            return switch (name) {
                case "equals", "hashCode", "isWrapperFor", "unwrap" -> common(proxy, name, args);
                case "toString" -> "Connection of the unit of work on " + unit.url();
                case "isClosed" -> closed || unit.hasEnded();
                case "close" -> close();
                default -> use(proxy, method, args);
            };
        }

        private @Nullable Object use(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
            check();
            if (closed) {
                throw new SQLNonTransientConnectionException("This connection was closed by its user", NO_CONNECTION);
            }
            String name = method.getName();
            switch (name) {
                case "commit",
                        "setAutoCommit",
                        "setTransactionIsolation",
                        "setReadOnly",
                        "setHoldability",
                        "beginRequest",
                        "endRequest" -> throw refusal(name + "()", "return to commit, throw an exception to roll back");
                case "rollback", "abort" -> {
                    if (name.equals("abort") || args == null) {
                        throw doomed(refusal(
                                name + "()",
                                "the unit will be rolled back at its end; throw an exception, or call setRollbackOnly() on"
                                        + " the transaction"));
                    }
                }
                case "prepareStatement", "prepareCall", "nativeSQL" -> checkSql(args);
                default -> {}
            }
            return name.equals("isReadOnly")
                    ? unit.isRestricted()
                    : guarded(call(real, method, args), method.getReturnType(), proxy);
        }

        private @Nullable Object close() throws SQLException {
            if (!lent && !unit.hasEnded()) {
                check();
                throw refusal("close()", "leave it open, it is closed at the end");
            }
            closed = true;
            return null;
        }
    }

    /** What came from the connection, over whatever detours. */
    private final class Behind extends Handler {
        private final Object target;
        private final Object parent;

        Behind(Object target, Object parent) {
            this.target = target;
            this.parent = parent;
        }

        @Override
        @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
            String name = method.getName();
            return switch (name) {
                case "equals", "hashCode", "isWrapperFor", "unwrap" -> common(proxy, name, args);
                // It may ask the database.
                case "toString" -> Objects.requireNonNullElseGet(unit.whyNot(), target::toString);
                case "cancel" -> cancel(method);
                case "free" -> unit.hasEnded() ? null : use(proxy, method, args);
                case "isClosed" -> unit.hasEnded() ? true : use(proxy, method, args);
                case "close" -> close(method);
                default -> use(proxy, method, args);
            };
        }

        private @Nullable Object use(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
            check();
            switch (method.getName()) {
                case "getConnection" -> {
                    return origin();
                }
                case "getStatement" -> {
                    if (parent instanceof Statement) {
                        return parent;
                    }
                }
                case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch" -> checkSql(args);
                default -> {}
            }
            unguard(args);
            return guarded(call(target, method, args), method.getReturnType(), proxy);
        }

        private @Nullable Object close(Method method) throws Throwable {
            if (unit.hasEnded()) {
                return null;
            }
            check();
            unit.lease().closed((AutoCloseable) target);
            return call(target, method, null);
        }

        /** By another thread, as this one is busy; and not if by then the connection is somebody else's, as far as is known. */
        private @Nullable Object cancel(Method method) throws Throwable {
            if (unit.hasEnded() || ((Statement) target).isClosed()) {
                return null;
            }
            try {
                return method.invoke(target);
            } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
            }
        }

        /** The face of the connection that this came from. */
        private Object origin() {
            Object before = parent;
            while (!(before instanceof Connection)) {
                before = ((Behind) Proxy.getInvocationHandler(before)).parent;
            }
            return before;
        }
    }
}
