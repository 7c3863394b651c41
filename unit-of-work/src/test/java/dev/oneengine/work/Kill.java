package dev.oneengine.work;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/** Gets at what the guard hides, to break it. Stateless and thread-safe. */
final class Kill {
    private Kill() {}

    static Connection real(Connection guarded) {
        try {
            Object front = Proxy.getInvocationHandler(guarded);
            Field outer = front.getClass().getDeclaredField("this$0");
            outer.setAccessible(true);
            Field real = Guard.class.getDeclaredField("real");
            real.setAccessible(true);
            return (Connection) real.get(outer.get(front));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The guard has other fields", e);
        }
    }

    /** What is behind a guarded object. */
    static <T> T target(T guarded) {
        try {
            Object handler = Proxy.getInvocationHandler(guarded);
            Field target = handler.getClass().getDeclaredField("target");
            target.setAccessible(true);
            @SuppressWarnings("unchecked") // the proxy has the type of its target
            T found = (T) target.get(handler);
            return found;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The guard has other fields", e);
        }
    }

    static void physically(Connection guarded) throws SQLException {
        real(guarded).unwrap(SQLiteConnection.class).close();
    }
}
