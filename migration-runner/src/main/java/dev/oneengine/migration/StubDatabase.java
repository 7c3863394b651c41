package dev.oneengine.migration;

import java.lang.reflect.Method;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A fake of an empty SQLite database. Flyway reads scripts only with a connection to a database that it supports, and a real one would
 * need its driver. Stateless and thread-safe.
 */
final class StubDatabase extends ConnectionOnlyDataSource {
    @Override
    public Connection getConnection() {
        return stub(Connection.class);
    }

    private static <T> T stub(Class<T> type) {
        return Jdbc.proxy(type, (self, method, arguments) -> answer(method));
    }

    /** Each query returns no rows, and each method that returns an interface returns another stub. */
    private static @Nullable Object answer(Method method) {
        Class<?> type = method.getReturnType();
        return switch (method.getName()) {
            case "getDatabaseProductName" -> "SQLite";
            case "getDatabaseProductVersion" -> "3.54";
            case "getDatabaseMajorVersion" -> 3;
            case "getDatabaseMinorVersion" -> 54;
            case "getURL" -> "jdbc:sqlite:";
            case "getCatalog" -> "main"; // the value of ${flyway:database}, which Flyway rejects if it is missing
            default -> {
                if (type.isInterface()) {
                    yield stub(type);
                }
                yield type == boolean.class ? (Object) false : type == int.class ? (Object) 0 : null;
            }
        };
    }
}
