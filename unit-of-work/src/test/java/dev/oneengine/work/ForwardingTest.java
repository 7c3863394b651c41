package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Proxies;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.net.URI;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The generated classes: every method of every interface calls the driver's object and returns its result. */
@Timeout(60)
class ForwardingTest {
    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    static Stream<Class<?>> interfaces() {
        return Stream.of(
                Connection.class,
                Statement.class,
                PreparedStatement.class,
                CallableStatement.class,
                ResultSet.class,
                DatabaseMetaData.class,
                ResultSetMetaData.class,
                ParameterMetaData.class,
                java.sql.Array.class,
                Blob.class,
                Clob.class,
                NClob.class,
                SQLXML.class,
                Struct.class,
                Ref.class);
    }

    @ParameterizedTest
    @MethodSource("interfaces")
    void arguments_results_and_failures_are_forwarded(Class<?> type) throws Exception {
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).run(tx -> {
            Calls calls = new Calls(type);
            Object guarded = guarded(type, calls.target, (Guarded<?>) tx.connection());
            List<Method> methods = generated(type, guarded.getClass());
            assertThat(methods).isNotEmpty();
            for (Method method : methods) {
                calls.check(guarded, method);
            }
        });
    }

    @Test
    void streams_forward_every_call() throws Exception {
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).<Exception>run(tx -> {
            Guard guard = ((Guarded<?>) tx.connection()).guard;

            InputStream in = (InputStream) GuardedStreams.guard(new ByteArrayInputStream(new byte[3]), guard);
            assertThat(in.available()).isEqualTo(3);

            Reader reader = (Reader) GuardedStreams.guard(new PipedReader(new PipedWriter()), guard);
            assertThat(reader.ready()).isFalse();
            reader.close();
            assertThatThrownBy(reader::ready).hasMessageContaining("closed");
            assertThat(((Reader) GuardedStreams.guard(new StringReader("a"), guard)).ready())
                    .isTrue();

            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            OutputStream out = (OutputStream) GuardedStreams.guard(new BufferedOutputStream(bytes), guard);
            out.write('a');
            assertThat(bytes.size()).isZero();
            out.flush();
            assertThat(bytes.size()).isOne();
            out.write('b');
            out.close();
            assertThat(bytes.size()).isEqualTo(2);

            StringWriter characters = new StringWriter();
            Writer writer = (Writer) GuardedStreams.guard(new BufferedWriter(characters), guard);
            writer.write('a');
            assertThat(characters.toString()).isEmpty();
            writer.flush();
            assertThat(characters).hasToString("a");
            writer.write('b');
            writer.close();
            assertThat(characters).hasToString("ab");
        });
    }

    @Test
    void a_stream_is_closed_once_by_its_user_or_by_the_unit() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger closedByUnit = new AtomicInteger();
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).<Exception>run(tx -> {
            Guard guard = ((Guarded<?>) tx.connection()).guard;
            ((OutputStream) GuardedStreams.guard(counting(closed), guard)).close();
            assertThat(GuardedStreams.guard(counting(closedByUnit), guard)).isNotNull();
        });
        assertThat(closed).hasValue(1);
        assertThat(closedByUnit).hasValue(1);
    }

    private static OutputStream counting(AtomicInteger closed) {
        return new FilterOutputStream(OutputStream.nullOutputStream()) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    @Test
    void elements_of_any_array_are_guarded() throws Exception {
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).run(tx -> {
            Calls calls = new Calls(java.sql.Array.class);
            java.sql.Array array =
                    (java.sql.Array) guarded(java.sql.Array.class, calls.target, (Guarded<?>) tx.connection());
            Blob blob = (Blob) sample(Blob.class);

            calls.answer = new Object[] {blob, "text"};
            Object[] objects = (Object[]) array.getArray();
            assertThat(((Guarded<?>) objects[0]).target).isSameAs(blob);
            assertThat(objects[1]).isEqualTo("text");

            calls.answer = new Blob[] {blob};
            assertThat(((Guarded<?>) ((Blob[]) array.getArray())[0]).target).isSameAs(blob);

            calls.answer = new Blob[][] {{blob}};
            assertThat(((Guarded<?>) ((Blob[][]) array.getArray())[0][0]).target)
                    .isSameAs(blob);

            calls.answer = new String[] {"text"};
            assertThat(array.getArray()).isSameAs(calls.answer);
        });
    }

    @Test
    void guarded_arguments_are_unwrapped_for_the_driver() throws Exception {
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).run(tx -> {
            Calls calls = new Calls(PreparedStatement.class);
            Guarded<?> connection = (Guarded<?>) tx.connection();
            PreparedStatement statement =
                    (PreparedStatement) guarded(PreparedStatement.class, calls.target, connection);
            Blob blob = (Blob) sample(Blob.class);
            statement.setBlob(1, (Blob) guarded(Blob.class, blob, connection));
            assertThat(calls.arguments[1]).isSameAs(blob);
            statement.setBlob(1, blob);
            assertThat(calls.arguments[1]).isSameAs(blob);
        });
    }

    private static List<Method> generated(Class<?> type, Class<?> implementation) throws NoSuchMethodException {
        List<Method> methods = new ArrayList<>();
        for (Method method : type.getMethods()) {
            Class<?> declaring = implementation
                    .getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass();
            if (!Modifier.isStatic(method.getModifiers()) && declaring == implementation) {
                methods.add(method);
            }
        }
        return methods;
    }

    private static Object guarded(Class<?> type, Object target, Guarded<?> connection)
            throws ReflectiveOperationException {
        Class<?> implementation = Class.forName("dev.oneengine.work.Guarded" + type.getSimpleName());
        Constructor<?> constructor = implementation.getDeclaredConstructors()[0];
        return type == Connection.class
                ? constructor.newInstance(target, connection.guard, false)
                : constructor.newInstance(target, connection.guard, connection);
    }

    /** Records the calls of one target and answers them. */
    private static final class Calls {
        private final Object target;
        private Method called;
        private Object[] arguments;
        private Object answer;
        private SQLException failure;

        Calls(Class<?> type) {
            target = Proxies.of(type, (proxy, method, args) -> {
                if (method.getDeclaringClass() == Object.class) {
                    return method.getName().equals("hashCode") ? 1 : "target";
                }
                called = method;
                arguments = args;
                if (failure != null) {
                    throw failure;
                }
                return answer;
            });
        }

        void check(Object guarded, Method method) throws Exception {
            Object[] args = Stream.of(method.getParameterTypes())
                    .map(ForwardingTest::sample)
                    .toArray();
            answer = method.getReturnType() == void.class ? null : sample(method.getReturnType());
            failure = null;

            Object result = method.invoke(guarded, args.clone());

            assertThat(called).as("%s", method).isEqualTo(method);
            assertThat(arguments == null ? new Object[0] : arguments)
                    .as("%s", method)
                    .containsExactly(args);
            boolean stream = answer instanceof InputStream
                    || answer instanceof OutputStream
                    || answer instanceof Reader
                    || answer instanceof Writer;
            if (stream) {
                assertThat(result.getClass().getName()).as("%s", method).startsWith(GuardedStreams.class.getName());
            } else if (result instanceof Guarded<?> wrapped) {
                assertThat(wrapped.target).as("%s", method).isSameAs(answer);
                assertThat(result).as("%s", method).isInstanceOf(method.getReturnType());
            } else {
                assertThat(result).as("%s", method).isEqualTo(answer);
                assertThat(method.getReturnType().getName())
                        .as("%s", method)
                        .doesNotMatch(
                                "java\\.sql\\.(ResultSet|.*Statement|.*MetaData|Array|N?[BC]lob|SQLXML|Struct|Ref)");
            }
            if (List.of(method.getExceptionTypes()).contains(SQLException.class)) {
                failure = new SQLException("as the driver says");
                assertThatThrownBy(() -> method.invoke(guarded, args.clone()))
                        .as("%s", method)
                        .isInstanceOf(InvocationTargetException.class)
                        .cause()
                        .isSameAs(failure);
            }
        }
    }

    private static Object sample(Class<?> type) {
        Map<Class<?>, Object> samples = new HashMap<>(Map.of(
                boolean.class,
                true,
                byte.class,
                (byte) 3,
                short.class,
                (short) 4,
                int.class,
                5,
                long.class,
                6L,
                float.class,
                7f,
                double.class,
                8d,
                String.class,
                "SELECT 1",
                Object.class,
                "anything",
                Class.class,
                Source.class));
        samples.put(BigDecimal.class, BigDecimal.TEN);
        samples.put(Date.class, new Date(1));
        samples.put(Time.class, new Time(2));
        samples.put(Timestamp.class, new Timestamp(3));
        samples.put(Calendar.class, Calendar.getInstance());
        samples.put(Properties.class, new Properties());
        samples.put(SQLWarning.class, new SQLWarning("a warning"));
        samples.put(RowIdLifetime.class, RowIdLifetime.ROWID_UNSUPPORTED);
        samples.put(java.sql.SQLType.class, JDBCType.INTEGER);
        samples.put(InputStream.class, new ByteArrayInputStream(new byte[0]));
        samples.put(OutputStream.class, OutputStream.nullOutputStream());
        samples.put(Reader.class, new StringReader(""));
        samples.put(Writer.class, new StringWriter());
        samples.put(Source.class, new StreamSource());
        samples.put(javax.xml.transform.Result.class, new StreamResult());
        Object known = samples.get(type);
        if (known != null) {
            return known;
        }
        try {
            if (type == java.net.URL.class) {
                return URI.create("file:/a").toURL();
            }
            if (type.isArray()) {
                return Array.newInstance(type.getComponentType(), 1);
            }
            return Proxies.of(type, (proxy, method, args) -> switch (method.getName()) {
                case "equals" -> proxy == args[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "sample of " + type;
                default -> null;
            });
        } catch (java.net.MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
