package dev.oneengine.migration;

import java.lang.reflect.Method;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for an empty database. Flyway reads scripts only where it is connected to a database that it knows, and a real one
 * would need its driver. Stateless and thread-safe.
 */
final class StandInDatabase extends ConnectionSource {
    @Override
    public Connection getConnection() {
        return standIn(Connection.class);
    }

    private static <T> T standIn(Class<T> type) {
        return Proxies.of(type, (self, method, arguments) -> answer(method));
    }

    /** Each query has no rows, and each object leads to more of its kind. */
    private static @Nullable Object answer(Method method) {
        Class<?> type = method.getReturnType();
        return switch (method.getName()) {
            case "getDatabaseProductName" -> "SQLite";
            case "getDatabaseProductVersion" -> "3.54";
            case "getDatabaseMajorVersion" -> 3;
            case "getDatabaseMinorVersion" -> 54;
            case "getURL" -> "jdbc:sqlite:";
            default -> {
                if (type.isInterface()) {
                    yield standIn(type);
                }
                yield type == boolean.class ? (Object) false : type == int.class ? (Object) 0 : null;
            }
        };
    }
}
