package dev.oneengine.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Objects whose methods are one function. Stateless and thread-safe. */
public final class Proxies {
    private Proxies() {}

    /** Creates an object. A failure of a method that the function invokes reaches the caller unchanged. */
    public static <T> T of(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                Proxies.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return handler.invoke(self, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
