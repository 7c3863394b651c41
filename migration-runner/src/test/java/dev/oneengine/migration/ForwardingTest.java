package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ForwardingTest {
    private final List<Method> forwarded = new ArrayList<>();
    private final Connection view = TransactionView.of(target(Connection.class), () -> {});

    @Test
    void a_connection_forwards_every_method() throws Exception {
        forwards(Connection.class, ForwardingConnection::new);
    }

    @Test
    void a_statement_of_a_view_forwards_all_methods_except_get_connection() throws Exception {
        forwards(Statement.class, target -> new ViewStatement(target, (TransactionView) view));
        forwards(PreparedStatement.class, target -> new ViewPreparedStatement(target, (TransactionView) view));
        forwards(CallableStatement.class, target -> new ViewCallableStatement(target, (TransactionView) view));
    }

    private <T> void forwards(Class<T> type, Function<T, T> forwarding) throws Exception {
        T object = forwarding.apply(target(type));
        for (Method method : type.getMethods()) {
            if (Modifier.isStatic(method.getModifiers())) {
                continue;
            }
            forwarded.clear();
            method.invoke(object, arguments(method));
            if (method.getName().equals("getConnection")) {
                assertThat(((Statement) object).getConnection()).isSameAs(view);
            } else {
                assertThat(forwarded).containsExactly(method);
            }
        }
        assertThat(object).hasToString(type.getSimpleName());
    }

    private <T> T target(Class<T> type) {
        return Jdbc.proxy(type, (proxy, method, arguments) -> {
            if (method.getName().equals("toString")) {
                return type.getSimpleName();
            }
            forwarded.add(method);
            return nothing(method.getReturnType());
        });
    }

    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(ForwardingTest::nothing)
                .toArray();
    }

    private static Object nothing(Class<?> type) {
        return type == void.class ? null : Array.get(Array.newInstance(type, 1), 0);
    }
}
