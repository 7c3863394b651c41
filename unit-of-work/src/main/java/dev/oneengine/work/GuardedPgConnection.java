package dev.oneengine.work;

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
import org.postgresql.core.QueryExecutor;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.largeobject.LargeObjectManager;

/**
 * The participants' connection as a type of PostgreSQL's driver, for COPY and large objects. Each call passes the {@link Guard}, and
 * so does each call of the objects that it returns. Confined to the unit's thread.
 */
final class GuardedPgConnection {
    /** The methods of {@link BaseConnection} that COPY and large objects need, and those that only read. */
    private static final Set<String> ALLOWED = Set.of(
            "escapeString",
            "getEncoding",
            "getLogger",
            "getStandardConformingStrings",
            "getTransactionState",
            "haveMinimumServerVersion");

    /** The same for {@link QueryExecutor}. */
    private static final Set<String> ALLOWED_FOR_EXECUTION =
            Set.of("startCopy", "createFastpathParameters", "fastpathCall", "getServerVersionNum");

    private static final String INSTEAD = "take another connection from the engine for that";

    private final PostgresDriver driver;
    private final Guard guard;
    private final Connection guarded;
    private @Nullable LargeObjectManager largeObjects;

    private GuardedPgConnection(PostgresDriver driver, Guard guard, Connection guarded) {
        this.driver = driver;
        this.guard = guard;
        this.guarded = guarded;
    }

    /** Whether participants can get their connection as this type. Loads no class of the driver for any other type. */
    static boolean isOffered(Class<?> type, TransactionControl control) {
        return type.getName().startsWith("org.postgresql.")
                && control instanceof PostgresTransactionControl postgres
                && postgres.driver() != null
                && (type == PGConnection.class || type == BaseConnection.class);
    }

    /** Returns the participants' connection as both types of {@link #isOffered}. */
    static Object of(TransactionControl control, Guard guard, Connection guarded) {
        PostgresDriver driver = Objects.requireNonNull(((PostgresTransactionControl) control).driver());
        return proxy(BaseConnection.class, new GuardedPgConnection(driver, guard, guarded)::onConnection);
    }

    /** A proxy, because the driver's types have many methods and change often. */
    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(
                Proxy.newProxyInstance(GuardedPgConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Throws no checked exception that a method does not declare. */
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

    private @Nullable Object onConnection(Object proxy, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        if (method.getDeclaringClass().isAssignableFrom(Connection.class)) {
            return invoke(guarded, method, args);
        }
        guard.check();
        BaseConnection connection = (BaseConnection) proxy;
        String name = method.getName();
        return switch (name) {
            case "getCopyAPI" -> new CopyManager(connection);
            case "getLargeObjectAPI" -> largeObjects(connection);
            case "getFastpathAPI" -> new Fastpath(connection);
            case "getQueryExecutor" -> proxy(QueryExecutor.class, this::onExecutor);
            case "getReplicationAPI", "setAutosave" -> throw guard.refusal(name + "()", INSTEAD);
            default -> {
                if (method.getDeclaringClass() == BaseConnection.class && !ALLOWED.contains(name)) {
                    throw guard.refusal(name + "()", INSTEAD);
                }
                Object result = call(driver.connection(), method, args);
                yield GuardedObjects.guard(result, method.getReturnType(), guard, (Guarded<?>) guarded);
            }
        };
    }

    private @Nullable Object onExecutor(Object proxy, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        guard.check();
        String name = method.getName();
        if (!ALLOWED_FOR_EXECUTION.contains(name)) {
            throw guard.refusal(name + "()", INSTEAD);
        }
        if (!name.equals("startCopy")) {
            return call(driver.connection().getQueryExecutor(), method, args);
        }
        guard.checkSql((String) Objects.requireNonNull(args)[0]);
        return copy(
                (CopyOperation) Objects.requireNonNull(call(driver.connection().getQueryExecutor(), method, args)));
    }

    private Object copy(CopyOperation copy) {
        driver.copyStarted(copy);
        Class<?> type = copy instanceof CopyIn ? CopyIn.class : CopyOut.class;
        return proxy(type, (proxy, method, args) -> {
            if (method.getExceptionTypes().length > 0) { // the other methods only read the driver's state
                guard.checkOpen();
            }
            return call(copy, method, args);
        });
    }

    private @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        Object result;
        try {
            result = invoke(target, method, args);
        } catch (Throwable t) {
            throw guard.failed(t, method.getName());
        }
        guard.succeeded();
        return result;
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** Keeps the manager, because creating one asks the server for the identifiers of functions. */
    private LargeObjectManager largeObjects(BaseConnection connection) throws SQLException {
        LargeObjectManager known = largeObjects;
        if (known == null) {
            known = new LargeObjectManager(connection);
            largeObjects = known;
        }
        return known;
    }
}
