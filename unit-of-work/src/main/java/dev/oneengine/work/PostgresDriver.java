package dev.oneengine.work;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Parser;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.TransactionState;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.largeobject.LargeObjectManager;

/** What only PostgreSQL's own driver knows about a connection, and can do with it. Confined to its unit's thread. */
final class PostgresDriver {
    /** What participants may ask of the driver's inner side: as much as COPY and large objects need, and what only reads. */
    private static final Set<String> FREE = Set.of(
            "escapeString",
            "getEncoding",
            "getLogger",
            "getStandardConformingStrings",
            "getTransactionState",
            "haveMinimumServerVersion");

    private static final Set<String> FREE_FOR_EXECUTION =
            Set.of("startCopy", "createFastpathParameters", "fastpathCall", "getServerVersionNum");

    private static final String INSTEAD = "take another connection from the engine for that";

    private final BaseConnection connection;

    private PostgresDriver(BaseConnection connection) {
        this.connection = connection;
    }

    /** Returns {@code null} for the connection of another driver. */
    static @Nullable PostgresDriver of(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(BaseConnection.class)
                    ? new PostgresDriver(connection.unwrap(BaseConnection.class))
                    : null;
        } catch (LinkageError e) { // it is not on the classpath
            return null;
        }
    }

    /** Like {@link TransactionSql#find}, in the text as the driver sends it. */
    @Nullable String find(String sql) {
        boolean standard = connection.getStandardConformingStrings();
        Dialect dialect = standard ? Dialect.POSTGRESQL : Dialect.POSTGRESQL_WITH_BACKSLASHES;
        String words = TransactionSql.find(sql, dialect);
        if (words == null && sql.indexOf('{') >= 0) {
            try {
                words = TransactionSql.find(Parser.replaceProcessing(sql, true, standard), dialect);
            } catch (SQLException e) {
                return null; // the driver rejects the text for the same reason
            }
        }
        return words;
    }

    /** Whether the server has aborted the transaction, and would answer COMMIT with a rollback. */
    boolean isFailed() {
        return connection.getTransactionState() == TransactionState.FAILED;
    }

    /** Whether the server says that no transaction is open. */
    boolean isIdle() {
        return connection.getTransactionState() == TransactionState.IDLE;
    }

    /** Whether participants can get their connection as this type of the driver. */
    static boolean offers(Class<?> type) {
        return type == PGConnection.class || type == BaseConnection.class;
    }

    /** The connection of the participants as the driver's own type, for COPY and large objects. */
    Object face(Guard guard, Connection front) {
        Face face = new Face(guard, front);
        return proxy(BaseConnection.class, face::onConnection);
    }

    /** The driver's types have too many methods, and change too often, to be implemented. */
    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(PostgresDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Throws nothing that a method does not declare. */
    @FunctionalInterface
    private interface Handler extends InvocationHandler {
        @Override
        default @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            try {
                return answer(proxy, method, args);
            } catch (SQLException e) {
                List<Class<?>> declared = List.of(method.getExceptionTypes());
                if (declared.contains(SQLException.class)) {
                    throw e;
                }
                throw declared.contains(SQLClientInfoException.class)
                        ? new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e)
                        : new IllegalStateException(e.getMessage(), e);
            }
        }

        @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable;
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private record Copy(CopyOperation operation) implements Session.Activity {
        @Override
        public boolean isActive() {
            return operation.isActive();
        }

        @Override
        public void cancel() throws SQLException {
            operation.cancelCopy();
        }
    }

    /** Works on the driver's connection as far as the guard lets it. All that it gives goes through it, too. */
    private final class Face {
        private final Guard guard;
        private final Connection front;
        private @Nullable LargeObjectManager largeObjects;

        Face(Guard guard, Connection front) {
            this.guard = guard;
            this.front = front;
        }

        @Nullable Object onConnection(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
            if (method.getDeclaringClass().isAssignableFrom(Connection.class)) {
                return invoke(front, method, args);
            }
            guard.check();
            BaseConnection face = (BaseConnection) proxy;
            String name = method.getName();
            return switch (name) {
                case "getCopyAPI" -> new CopyManager(face);
                case "getLargeObjectAPI" -> largeObjects(face);
                case "getFastpathAPI" -> new Fastpath(face);
                case "getQueryExecutor" -> proxy(QueryExecutor.class, this::onExecutor);
                case "getReplicationAPI", "setAutosave" -> throw guard.refusal(name + "()", INSTEAD);
                default -> {
                    if (method.getDeclaringClass() == BaseConnection.class && !FREE.contains(name)) {
                        throw guard.refusal(name + "()", INSTEAD);
                    }
                    yield guard.guarded(call(connection, method, args), method.getReturnType(), (Guarded<?>) front);
                }
            };
        }

        private @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            Object result;
            try {
                result = invoke(target, method, args);
            } catch (Throwable t) {
                throw guard.failed(t, method.getName());
            }
            guard.succeeded();
            return result;
        }

        /** The driver reads the identifiers of functions for each. */
        private LargeObjectManager largeObjects(BaseConnection face) throws SQLException {
            LargeObjectManager known = largeObjects;
            if (known == null) {
                known = new LargeObjectManager(face);
                largeObjects = known;
            }
            return known;
        }

        private @Nullable Object onExecutor(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            guard.check();
            String name = method.getName();
            if (!FREE_FOR_EXECUTION.contains(name)) {
                throw guard.refusal(name + "()", INSTEAD);
            }
            if (!name.equals("startCopy")) {
                return call(connection.getQueryExecutor(), method, args);
            }
            guard.checkSql((String) Objects.requireNonNull(args)[0]);
            return copy((CopyOperation) Objects.requireNonNull(call(connection.getQueryExecutor(), method, args)));
        }

        private Object copy(CopyOperation copy) {
            guard.occupy(new Copy(copy));
            Class<?> type = copy instanceof CopyIn ? CopyIn.class : CopyOut.class;
            return proxy(type, (proxy, method, args) -> {
                if (method.getExceptionTypes().length > 0) { // the others only read what the driver knows
                    guard.checkOpen();
                }
                return call(copy, method, args);
            });
        }
    }
}
