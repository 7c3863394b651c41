package dev.oneengine.migration;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Single statements, and proxies of connections and statements. Stateless and thread-safe. */
final class Jdbc {
    private Jdbc() {}

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Creates an object whose methods the handler implements. */
    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Jdbc.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Calls a method. Throws the exception of the method itself, not reflection's wrapper. */
    static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
